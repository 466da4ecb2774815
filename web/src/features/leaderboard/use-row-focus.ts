import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'wouter';

/** A row of the scrolling table by its position, if it is in the page. */
const rowAt = (board: HTMLElement | null, index: number) => board?.querySelector<HTMLElement>(`tr[data-index="${index}"]`);

/** The row that has the focus, or is to have it as soon as it is in the page. */
interface Cursor {
  wanted: number | null;
  held: { index: number; row: HTMLElement } | null;
}

/** Gives a row the focus, or remembers that it is wanted. */
function focusRow(board: HTMLElement | null, index: number, cursor: Cursor): void {
  const row = rowAt(board, index);
  cursor.wanted = row ? null : index;
  if (!row) return;
  cursor.held = { index, row };
  row.focus({ preventScroll: true });
}

/** A row that leaves the page takes the focus with it, and gets it again when it comes back. Nobody else loses it. */
function restoreFocus(board: HTMLElement | null, cursor: Cursor): void {
  const focused = document.activeElement;
  if (focused !== document.body && !board?.contains(focused)) return;
  if (focused === document.body && cursor.held && !cursor.held.row.isConnected) cursor.wanted ??= cursor.held.index;
  if (cursor.wanted !== null) focusRow(board, cursor.wanted, cursor);
}

interface RowFocus {
  scroller: RefObject<HTMLDivElement | null>;
  total: number;
  /** The row to begin at. */
  first: () => number;
  /** Scrolls a row into view. */
  bring: (index: number) => void;
}

/**
 * Moves the focus from row to row, also to one that is not in the page yet. Enter opens the row's profile; Home and End
 * lead to the ends of the board.
 */
export function useRowFocus({ scroller, total, first, bring }: RowFocus): (by: 1 | -1) => void {
  const [, navigate] = useLocation();
  const cursor = useRef<Cursor>({ wanted: null, held: null });
  // After every rendering: a row far away is there only when the board has scrolled to it.
  useEffect(() => restoreFocus(scroller.current, cursor.current));
  useEffect(() => {
    const board = scroller.current;
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      const onRow = target instanceof HTMLTableRowElement;
      if (key === 'Enter' && onRow) {
        const profile = target.querySelector('a[href^="/profile/"]')?.getAttribute('href');
        if (profile) navigate(profile);
      } else if ((key === 'Home' || key === 'End') && (onRow || target === board)) {
        // At once: the browser would glide over every row between.
        event.preventDefault();
        const index = key === 'Home' ? 0 : total - 1;
        bring(index);
        if (onRow) focusRow(board, index, cursor.current);
      }
    };
    board?.addEventListener('keydown', onKey);
    return () => board?.removeEventListener('keydown', onKey);
  }, [scroller, navigate, bring, total]);

  return (by) => {
    const focused = document.activeElement?.closest<HTMLElement>('tr[data-index]');
    // A key may come before the row of the last one has been drawn.
    const from = cursor.current.wanted ?? (focused ? Number(focused.dataset.index) : null);
    const next = from === null ? first() : from + by;
    if (next < 0 || next >= total) return;
    bring(next);
    focusRow(scroller.current, next, cursor.current);
  };
}
