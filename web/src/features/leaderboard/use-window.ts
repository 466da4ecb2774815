import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

/** How many rows come into the page and leave it together. */
const STEP = 8;

/** Browsers draw nothing farther down than some 17 million pixels (Firefox): longer boards are shown through a shorter one. */
const MOST_PX = 8_000_000;

/** The bar at the top of the window (`shell/frame.tsx`), in rem. */
const BAR_REM = 4;

/** How long the reader must have stopped before what was found out about the place is put in order, in milliseconds. */
const PAUSE_MS = 150;

/** How many windowfuls the page may be away from where it should be, and how near to its ends it must not be away at all. */
const SLACK = 50;

/** What of the board is on show. */
interface View {
  /** Steps of rows. */
  first: number;
  last: number;
  /** How much farther down on the board the reader is than on the page, in pixels: nothing as long as the page is long enough. */
  shift: number;
  /** Whether the row that is watched can be seen. */
  seen: boolean;
}

interface Wanted {
  /** What holds the rows. */
  list: Part;
  /** What stays above them while they scroll, below the bar of the app. */
  head: Part;
  height: number;
  total: number;
  /** A row of which is asked whether it can be seen. */
  watched: number | null;
  /** The reader has stopped here, in pixels of the board; null above its first row. */
  onRest: (place: number | null) => void;
}

/** Rows of the whole board that are in the page: from the first up to but without the last. */
export interface BoardWindow {
  from: number;
  to: number;
  /** Room for the rows before and behind them, in pixels; less than none where some of these stand above the list. */
  before: number;
  behind: number;
  /** Whether the watched row can be seen. */
  seen: boolean;
  /** The first row on show. */
  top: () => number;
  /** Scrolls the page to this place on the board, in pixels. */
  goTo: (place: number) => void;
  /** Scrolls a row into view, no farther than it takes, or into the middle. */
  bring: (index: number, where?: 'near' | 'middle') => void;
}

type Part = RefObject<HTMLElement | null>;

/** How far the first row is above what covers the top of the window, and the room below that. */
function measured(list: Part, head: Part, height: number): { scrolled: number; room: number } {
  const bar = BAR_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const covered = bar + (head.current?.offsetHeight ?? 0);
  const top = list.current?.getBoundingClientRect().top ?? 0;
  return { scrolled: covered - top, room: Math.max(height, window.innerHeight - covered) };
}

/**
 * Which rows are in the page while the page itself scrolls: those on show, and as many steps before and after them that the reader
 * does not see rows come. All rows are of one height.
 *
 * A board that is longer than a page can be is shown through a shorter one. Turning the wheel moves it as far as ever; whoever drags the
 * scroll bar or jumps gets to the same part of the board as of the page.
 */
export function useWindow({ list, head, height, total, watched, onRest }: Wanted): BoardWindow {
  const [view, setView] = useState<View>({ first: 0, last: 0, shift: 0, seen: true });
  const full = total * height;
  const long = Math.min(full, MOST_PX);
  const at = useRef({ scrolled: 0, shift: 0 });

  const measure = useCallback(() => measured(list, head, height), [list, head, height]);

  const look = useCallback(() => {
    const { scrolled, room } = measure();
    const { current } = at;
    const end = long - room;
    if (long === full || scrolled <= 0) current.shift = 0;
    else if (scrolled >= end) current.shift = full - long;
    else if (Math.abs(scrolled - current.scrolled) > 4 * room) current.shift = (scrolled / end) * (full - room) - scrolled;
    current.scrolled = scrolled;
    const place = Math.max(0, scrolled + current.shift);
    const [first, last] = [Math.floor(place / height / STEP), Math.floor((place + room) / height / STEP)];
    const row = (watched ?? 0) * height;
    const seen = watched === null || (row + height > scrolled + current.shift && row < scrolled + current.shift + room);
    const change = (before: View): View =>
      before.first === first && before.last === last && before.shift === current.shift && before.seen === seen
        ? before
        : { first, last, shift: current.shift, seen };
    return change;
  }, [measure, long, full, height, watched]);

  useEffect(() => {
    let resting: number | undefined;
    let settling = 0;
    const update = () => {
      const { shift } = at.current;
      const change = look();
      // Rows that jump must be there before the page is drawn where they would have been.
      if (shift === at.current.shift) setView(change);
      else flushSync(() => setView(change));
    };
    const rest = () => {
      // The page may have moved, and nobody have been told yet.
      update();
      const { scrolled } = at.current;
      onRest(scrolled <= 0 ? null : scrolled + at.current.shift);
    };
    /** The way to both ends of the page is made as long again as it should be, where that makes a difference. */
    const settle = () => {
      rest();
      const { scrolled, room } = measure();
      const { current } = at;
      const [end, most] = [long - room, full - long];
      if (most === 0 || scrolled <= 0 || scrolled >= end) return;
      const place = scrolled + current.shift;
      const should = (place / (full - room)) * end;
      const slack = SLACK * room;
      const short = (scrolled < slack && current.shift !== 0) || (end - scrolled < slack && current.shift !== most);
      if (Math.abs(should - scrolled) < (short ? 1 : slack)) return;
      current.shift = place - should;
      current.scrolled = should;
      flushSync(() => setView((before) => ({ ...before, shift: current.shift })));
      window.scrollBy({ top: should - scrolled, behavior: 'instant' });
    };
    const onScroll = () => {
      update();
      window.clearTimeout(resting);
      window.cancelAnimationFrame(settling);
      // A page that is scrolled while it is still gliding loses the rest of the way: where nothing was heard for long because
      // much was to be done, the next frame tells of it first.
      resting = window.setTimeout(() => (settling = window.requestAnimationFrame(settle)), PAUSE_MS);
    };
    // oxlint-disable-next-line react/set-state-in-effect -- what is on show is known only once it is laid out
    setView(look());
    document.addEventListener('scroll', onScroll, { passive: true });
    window.addEventListener('resize', onScroll);
    // Whoever follows a link or presses Enter leaves at once.
    document.addEventListener('click', rest, true);
    return () => {
      window.clearTimeout(resting);
      window.cancelAnimationFrame(settling);
      document.removeEventListener('scroll', onScroll);
      window.removeEventListener('resize', onScroll);
      document.removeEventListener('click', rest, true);
    };
  }, [look, measure, full, long, onRest]);

  const goTo = useCallback(
    (place: number) => {
      const { scrolled, room } = measure();
      const { current } = at;
      const near = place - current.shift;
      const jumps = long !== full && Math.abs(near - scrolled) > 4 * room;
      const target = jumps ? (place / (full - room)) * (long - room) : near;
      current.shift = place - target;
      current.scrolled = target;
      const [first, last] = [Math.floor(place / height / STEP), Math.floor((place + room) / height / STEP)];
      flushSync(() => setView((before) => ({ ...before, first, last, shift: current.shift })));
      window.scrollBy({ top: target - measure().scrolled, behavior: 'instant' });
    },
    [measure, long, full, height],
  );

  const bring = useCallback(
    (index: number, where: 'near' | 'middle' = 'near') => {
      const { scrolled, room } = measure();
      const place = scrolled + at.current.shift;
      const highest = index * height;
      const lowest = highest + height - room;
      if (where === 'middle') goTo(Math.max(0, (highest + lowest) / 2));
      else if (place > highest || place < lowest) goTo(place > highest ? highest : lowest);
    },
    [measure, goTo, height],
  );

  const top = useCallback(() => {
    const { scrolled } = measure();
    return Math.max(0, Math.ceil((scrolled + at.current.shift) / height));
  }, [measure, height]);

  // The board may have become shorter than where its reader was.
  const from = Math.max(0, Math.min((view.first - 1) * STEP, total - STEP));
  const to = Math.min(total, Math.max((view.last + 2) * STEP, from + STEP));
  const before = from * height - view.shift;
  const behind = Math.max(0, long - before - (to - from) * height);
  return { from, to, before, behind, seen: view.seen, top, goTo, bring };
}
