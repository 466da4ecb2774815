import { useLayoutEffect, useState, useSyncExternalStore, type RefObject } from 'react';

const WIDE = '(width >= 48rem)';
/** Height of a row in rem: two lines on a wide screen, the stacked cells of a phone. */
const REM = { wide: 4.75, stacked: 10.5 };

const subscribe = (listener: () => void) => {
  const media = window.matchMedia(WIDE);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
};
const layout = () => (window.matchMedia(WIDE).matches ? 'wide' : 'stacked');

/**
 * One height for every row, in pixels: to measure each would cost the whole board's length at every step. It grows when the
 * content of a row on show needs more, as with larger text or wider spacing.
 */
export function useRowHeight(scroller: RefObject<HTMLElement | null>): number {
  const kind = useSyncExternalStore(subscribe, layout);
  const [rem] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  const [grown, setGrown] = useState<{ kind: typeof kind; px: number } | null>(null);
  const height = Math.max(rem * REM[kind], grown?.kind === kind ? grown.px : 0);
  // After every rendering, because other rows may be on show; it settles at the tallest.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useLayoutEffect(() => {
    const rows = scroller.current?.querySelectorAll<HTMLElement>('tr[data-index]') ?? [];
    const tallest = Math.max(0, ...Array.from(rows, (row) => row.offsetHeight));
    // oxlint-disable-next-line react/set-state-in-effect -- a height is known only once it is laid out
    if (tallest > Math.ceil(height) + 1) setGrown({ kind, px: tallest });
  });
  return height;
}
