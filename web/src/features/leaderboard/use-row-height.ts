import { useLayoutEffect, useState, useSyncExternalStore, type RefObject } from 'react';
import { useBrowserValue } from '../../lib/browser-value';

const WIDE = '(width >= 48rem)';
/** Height of a row in rem, as in its class names: two lines on a wide screen, the stacked cells of a phone. */
const REM = { wide: 4.75, stacked: 10.5 };

const subscribe = (listener: () => void) => {
  const media = window.matchMedia(WIDE);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
};
const layout = () => (window.matchMedia(WIDE).matches ? 'wide' : 'stacked');

const rootFontSize = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/**
 * One height for every row, in pixels: to measure each would cost the whole board's length at every step. It grows beyond the
 * usual when the content of a row on show needs more, as with larger text or wider spacing.
 */
export function useRowHeight(scroller: RefObject<HTMLElement | null>): { height: number; grown: boolean } {
  const kind = useSyncExternalStore(subscribe, layout, () => 'wide' as const);
  const rem = useBrowserValue(rootFontSize, () => 16);
  const [tall, setTall] = useState<{ kind: typeof kind; px: number } | null>(null);
  const usual = rem * REM[kind];
  const height = Math.max(usual, tall?.kind === kind ? tall.px : 0);
  // After every rendering, because other rows may be on show; it settles at the tallest.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useLayoutEffect(() => {
    const rows = scroller.current?.querySelectorAll<HTMLElement>('tr[data-index]') ?? [];
    const tallest = Math.max(0, ...Array.from(rows, (row) => row.offsetHeight));
    // oxlint-disable-next-line react/set-state-in-effect -- a height is known only once it is laid out
    if (tallest > Math.ceil(height) + 1) setTall({ kind, px: tallest });
  });
  return { height, grown: height > usual };
}
