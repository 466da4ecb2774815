import { useSyncExternalStore } from 'react';

const WIDE = '(width >= 64rem)';
/** Height of a row in rem, as in its class names: one line on a wide screen, two on a phone or a tablet. */
const REM = { wide: 2.5, stacked: 3.5 };

const subscribe = (listener: () => void) => {
  const media = window.matchMedia(WIDE);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
};
const layout = () => (window.matchMedia(WIDE).matches ? 'wide' : 'stacked');

const rootFontSize = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The one height of every row, in pixels. */
export function useRowHeight(): number {
  return rootFontSize() * REM[useSyncExternalStore(subscribe, layout)];
}
