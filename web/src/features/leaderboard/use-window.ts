import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { listen } from '../../lib/listen';

/** The longest list. Browsers lay out nothing below some 17 million pixels (Firefox), which is this many rows on a phone. */
export const MOST_ROWS = 300_000;

/** Rows enter and leave the document in groups of this size. */
const STEP = 8;

/** The first page of the board, which is what a printer gets. */
const PRINTED_ROWS = 100;

/** The bar at the top of the window (`shell/frame.tsx`), in rem. */
const BAR_REM = 4;

/** The height of a row in rem, as in `entry-row.tsx`: one line on a wide screen, two on a phone or a tablet. */
const ROW_REM = { wide: 2.5, stacked: 3.5 };

const wide = () => window.matchMedia('(width >= 64rem)');
const onLayout = (listener: () => void) => {
  const media = wide();
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
};
const rem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

type Part = RefObject<HTMLElement | null>;

interface WindowOptions {
  /** The element that holds the rows, and the head that stays above them while they scroll. */
  list: Part;
  head: Part;
  total: number;
  /** A row whose visibility is reported. */
  watched: number | null;
}

/** How far the first row is above the part of the window that shows rows, and the height of that part. */
function measured(list: Part, head: Part, height: number): { scrolled: number; room: number } {
  const covered = BAR_REM * rem() + (head.current?.offsetHeight ?? 0);
  const scrolled = covered - (list.current?.getBoundingClientRect().top ?? 0);
  return { scrolled, room: Math.max(height, window.innerHeight - covered) };
}

/**
 * Keeps only the rows in sight, and a few around them, in the document: those from `from` up to, and without, `to`. The heights in
 * pixels of the rows `before` and `behind` are left free. The page itself scrolls; every row has the same height.
 */
export function useWindow({ list, head, total, watched }: WindowOptions) {
  const height = rem() * ROW_REM[useSyncExternalStore(onLayout, () => (wide().matches ? 'wide' : 'stacked'))];
  // Nothing is laid out yet. A guess that holds for a page at its top spares a second round of rows.
  const [view, setView] = useState(() => ({ first: 0, last: Math.floor(window.innerHeight / height / STEP), seen: true }));
  const printing = usePrinting();

  useEffect(() => {
    const look = () => {
      const { scrolled, room } = measured(list, head, height);
      const step = (place: number) => Math.max(0, Math.floor(place / height / STEP));
      const [first, last] = [step(scrolled), step(scrolled + room)];
      const place = (watched ?? 0) * height;
      const seen = watched === null || (place + height > scrolled && place < scrolled + room);
      setView((old) => (old.first === first && old.last === last && old.seen === seen ? old : { first, last, seen }));
    };
    // oxlint-disable-next-line react/set-state-in-effect -- what is in sight is known only after layout
    look();
    const stops = [listen(document, { scroll: look }), listen(window, { resize: look })];
    return () => stops.forEach((stop) => stop());
  }, [list, head, height, watched]);

  /** Scrolls a row into view: no farther than necessary, or into the middle. */
  const bring = (index: number, where: 'near' | 'middle' = 'near') => {
    const { scrolled, room } = measured(list, head, height);
    const highest = index * height;
    const lowest = highest + height - room;
    const target = where === 'middle' ? (highest + lowest) / 2 : Math.min(highest, Math.max(lowest, scrolled));
    window.scrollBy({ top: Math.max(0, target) - scrolled, behavior: 'instant' });
  };
  /** The first row in sight. */
  const top = () => Math.max(0, Math.ceil(measured(list, head, height).scrolled / height));

  const [from, to] = printing
    ? [0, Math.min(total, PRINTED_ROWS)]
    : [Math.max(0, Math.min((view.first - 1) * STEP, total - STEP)), Math.min(total, (view.last + 2) * STEP)];
  const gap = (rows: number) => (printing ? 0 : rows * height);
  return { from, to, before: gap(from), behind: gap(total - to), seen: view.seen, top, bring };
}

/** Whether the page is being printed. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // The printer does not wait for React.
    const begin = () => flushSync(() => setPrinting(true));
    return listen(window, { beforeprint: begin, afterprint: () => setPrinting(false) });
  }, []);
  return printing;
}
