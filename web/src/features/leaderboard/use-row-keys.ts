import { useEffect, useRef, type RefObject } from 'react';
import { listen } from '../../lib/listen';

const LETTERS: Record<string, 1 | -1> = { j: 1, k: -1 };
const ARROWS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };

/** Elements that keep key presses for themselves: text fields, open menus and dialogs. */
export const BUSY = 'input, textarea, select, [contenteditable], [role="menu"], [role="dialog"], [role="alertdialog"]';

interface RowKeys {
  /** The element around the rows, which has the focus when no row has it. */
  board: RefObject<HTMLDivElement | null>;
  total: number;
  /** Whether single letters are shortcuts. Dictation software types letters, so they can be turned off (WCAG 2.2, 2.1.4). */
  letters: boolean;
  /** The first row in sight. */
  top: () => number;
  /** Scrolls a row into view. */
  bring: (index: number) => void;
  onSearch: () => void;
}

/**
 * The keys of the board. `/`: to the search box. `j`, `k` and the arrows: to the next and previous row, which may not be in the document yet;
 * arrows to the sides: to what can be used in the row. Home and End: to the ends. Enter: opens the row.
 */
export function useRowKeys({ board, total, letters, top, bring, onSearch }: RowKeys): void {
  /** The row that has the focus, or gets it as soon as it is in the document. */
  const current = useRef<number | null>(null);
  const rowAt = (index: number) => board.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`);

  // After every rendering: a row that has left the document leaves the focus with the board, and gets it back on its return.
  useEffect(() => {
    const { activeElement: focused, body } = document;
    if (current.current === null || (focused !== body && focused !== board.current)) return;
    (rowAt(current.current) ?? board.current)?.focus({ preventScroll: true });
  });

  useEffect(() => {
    const goTo = (index: number) => {
      if (index < 0 || index >= total) return;
      current.current = index;
      bring(index);
      (rowAt(index) ?? board.current)?.focus({ preventScroll: true });
    };
    const onKey = (event: KeyboardEvent) => {
      const { key } = event;
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest(BUSY)) return;
      const inside = board.current?.contains(target) ?? false;
      const row = target.closest<HTMLElement>('tr[data-index]');
      const by = (letters ? LETTERS[key] : undefined) ?? (inside ? ARROWS[key] : undefined);
      if (by) goTo(inside && current.current !== null ? current.current + by : top());
      else if (letters && key === '/') onSearch();
      else if (inside && (key === 'Home' || key === 'End')) goTo(key === 'Home' ? 0 : total - 1);
      else if (row && (key === 'ArrowRight' || key === 'ArrowLeft')) {
        const stops = [row, ...row.querySelectorAll<HTMLElement>('a, button')];
        stops[stops.indexOf(target) + (key === 'ArrowRight' ? 1 : -1)]?.focus({ preventScroll: true });
      } else if (row && key === 'Enter' && target === row) openRow(row);
      else return;
      event.preventDefault();
    };
    const onFocus = ({ target }: FocusEvent) => {
      const row = (target as Element).closest<HTMLElement>('tr[data-index]');
      if (row) current.current = Number(row.dataset.index);
      // Elsewhere on the page: nothing is to be given back.
      else if (!board.current?.contains(target as Node)) current.current = null;
    };
    return listen(document, { keydown: onKey, focusin: onFocus });
  });
}

/** Follows the row's link. */
export function openRow(row: Element | null): void {
  row?.querySelector<HTMLElement>('a[href^="/profile/"]')?.click();
}
