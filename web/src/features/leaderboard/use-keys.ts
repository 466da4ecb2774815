import { useLayoutEffect } from 'react';

/** Actions of the board that have keys. */
export interface BoardKeys {
  /** `/`: to the search box. */
  onSearch: () => void;
  /** `j` and `k`, and the arrows inside the table: one row down or up. */
  onMove: (by: 1 | -1) => void;
}

const LETTERS: Record<string, 1 | -1> = { j: 1, k: -1 };
const ARROWS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };

/** Elements that keep key presses for themselves: text fields, open menus and dialogs. */
const BUSY = 'input, textarea, select, [contenteditable], [role="menu"], dialog[open]';

/**
 * Listens to the board's keys. Single letters can be turned off (WCAG 2.2, 2.1.4), because somebody who dictates would
 * press them by speaking; arrows count only while a row has the focus.
 */
export function useKeys(letters: boolean, { onSearch, onMove }: BoardKeys): void {
  // Before the rows are painted: whoever sees them can use their keys.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as Element;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest(BUSY)) return;
      const by = (letters ? LETTERS[event.key] : undefined) ?? (target.closest('[aria-label="Leaderboard rows"]') ? ARROWS[event.key] : undefined);
      if (by) onMove(by);
      else if (letters && event.key === '/') onSearch();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [letters, onSearch, onMove]);
}
