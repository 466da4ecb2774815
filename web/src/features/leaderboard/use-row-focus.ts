import { useEffect, useRef, type RefObject } from 'react';

/** A row by its position, if it is in the page. */
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

/** A row that leaves the page leaves the focus with the list, and gets it again when it comes back. Nobody else loses it. */
function restoreFocus(board: HTMLElement | null, cursor: Cursor): void {
  const focused = document.activeElement;
  if (focused !== document.body && focused !== board) return;
  if (focused === document.body && cursor.held && !cursor.held.row.isConnected) {
    cursor.wanted ??= cursor.held.index;
    board?.focus({ preventScroll: true });
  }
  if (cursor.wanted !== null) focusRow(board, cursor.wanted, cursor);
}

/** What can be used in a row, in its order. */
const stopsIn = (row: HTMLElement) => [row, ...row.querySelectorAll<HTMLElement>('a, button')];

interface RowFocus {
  /** Takes the focus for all rows together. */
  board: RefObject<HTMLDivElement | null>;
  total: number;
  /** The row to begin at. */
  first: () => number;
  /** Scrolls a row into view. */
  bring: (index: number) => void;
}

/**
 * Moves the focus from row to row, also to one that is not in the page yet, and with the arrows to the sides among what can be used in a
 * row. Enter opens the row's profile; Home and End lead to the ends of the board.
 */
export function useRowFocus({ board, total, first, bring }: RowFocus): (by: 1 | -1) => void {
  const cursor = useRef<Cursor>({ wanted: null, held: null });
  // After every rendering: a row far away is there only when the board has scrolled to it.
  useEffect(() => restoreFocus(board.current, cursor.current));
  useEffect(() => {
    const box = board.current;
    const onKey = (event: KeyboardEvent) => {
      const { key } = event;
      const target = event.target as HTMLElement;
      const row = target.closest<HTMLElement>('tr[data-index]');
      if (key === 'Enter' && target === row) {
        row.querySelector<HTMLElement>('a[href^="/profile/"]')?.click();
      } else if (key === 'Home' || key === 'End') {
        // At once: the browser would glide over every row between.
        event.preventDefault();
        const index = key === 'Home' ? 0 : total - 1;
        bring(index);
        focusRow(box, index, cursor.current);
      } else if (row && (key === 'ArrowRight' || key === 'ArrowLeft')) {
        const stops = stopsIn(row);
        const next = stops[stops.indexOf(target) + (key === 'ArrowRight' ? 1 : -1)];
        event.preventDefault();
        next?.focus({ preventScroll: true });
      }
    };
    // Whoever goes to the list itself wants no row any more.
    const onFocus = () => (cursor.current.wanted = null);
    box?.addEventListener('keydown', onKey);
    box?.addEventListener('focusout', onFocus);
    return () => {
      box?.removeEventListener('keydown', onKey);
      box?.removeEventListener('focusout', onFocus);
    };
  }, [board, bring, total]);

  return (by) => {
    const focused = document.activeElement?.closest<HTMLElement>('tr[data-index]');
    // A key may come before the row of the last one has been drawn.
    const from = cursor.current.wanted ?? (focused ? Number(focused.dataset.index) : null);
    const next = from === null ? first() : from + by;
    if (next < 0 || next >= total) return;
    bring(next);
    focusRow(board.current, next, cursor.current);
  };
}
