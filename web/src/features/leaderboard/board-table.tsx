import { useCallback, useEffect, useRef } from 'react';
import type { BoardFilter, BoardPlace } from '../../api/board';
import { useBrowserValue } from '../../lib/browser-value';
import { cx } from '../../lib/cx';
import { useWords } from '../../ui/places';
import { EntryRow } from './entry-row';
import { useKeys } from './use-keys';
import { useRowFocus } from './use-row-focus';
import { useRowHeight } from './use-row-height';
import { useRows } from './use-rows';
import { useWindow } from './use-window';

const COLUMNS = [
  { label: 'Rank', className: 'pl-4 lg:pl-6 pr-2 w-[11%] lg:w-26' },
  { label: 'User', className: 'px-2 lg:px-3' },
  { label: 'Bitcoin', className: 'px-2 lg:px-3 text-right w-[17%] lg:w-38' },
  { label: 'USD Value', className: 'px-2 lg:px-3 text-right w-[16%] lg:w-42' },
  { label: 'Status', className: 'px-2 lg:px-3 w-[15%] lg:w-36' },
  { label: 'Profile', className: 'pl-2 lg:pl-3 pr-4 lg:pr-6 text-right w-[15%] lg:w-36' },
];

interface BoardTableProps {
  filter: BoardFilter;
  /** Rows that the filter lets through. */
  total: number;
  price: number | null;
  currentUserId: string | null;
  /** The row that a shared link leads to. */
  place: BoardPlace | null;
  /** Older rows are on show while newer ones are fetched. */
  stale: boolean;
  /** Whether single letters move through the rows. */
  letters: boolean;
  onSearch: () => void;
}

/**
 * The rows, of which only those on show are in the page: a board of a hundred thousand scrolls like one of ten. It stays a
 * table for screen readers, which learn the number of rows and the position of each (ARIA 1.2, aria-rowcount).
 */
export function BoardTable({ filter, total, price, currentUserId, place, stale, letters, onSearch }: BoardTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { height, grown } = useRowHeight(scroller);
  const [from, to] = useWindow(scroller, height, total);
  const rowAt = useRows(filter, from, to - 1, total);
  const near = useCallback((index: number) => bring(scroller.current, index, height), [height]);
  const first = () => Math.floor((scroller.current?.scrollTop ?? 0) / height);
  const move = useRowFocus({ scroller, total, first, bring: near });
  useKeys(letters, { onSearch, onMove: move });

  // Once for each link; the reader may scroll away from the row that it leads to.
  // The list may be longer than the page knew when it came.
  const goal = place?.index != null && place.index < total ? place.index : null;
  useEffect(() => {
    if (goal === null) return;
    scroller.current?.scrollIntoView({ block: 'nearest' });
    bring(scroller.current, goal, height, 'middle');
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a change of the height is no reason to go there again
  }, [goal]);

  const { rowcount } = useWords(() => ({ rowcount: total + 1 }));
  // The server can write no room of a certain height: its policy forbids styles in the page.
  const taken = useBrowserValue(() => true, () => false);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus, for the keyboard
    <div ref={scroller} role="region" aria-label="Leaderboard rows" tabIndex={0} className="relative h-full overflow-y-auto scroll-pt-12 [overflow-anchor:none] -outline-offset-2!">
      <table
        role="table"
        aria-label="Bitcoin Leaderboard"
        aria-rowcount={rowcount}
        className={cx('block w-full md:table md:table-fixed md:text-sm lg:text-base', stale && 'opacity-60')}
      >
        <thead role="rowgroup" className="sr-only md:not-sr-only md:sticky! md:top-0 md:z-10 md:table-header-group md:bg-surface">
          <tr role="row" aria-rowindex={1} className="h-11 text-left text-xs font-semibold tracking-wide text-muted uppercase shadow-[inset_0_-1px_var(--line)]">
            {COLUMNS.map(({ label, className }) => (
              <th key={label} role="columnheader" scope="col" className={className}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block md:table-row-group">
          {taken && <Gap height={from * height} />}
          {Array.from({ length: to - from }, (_, at) => {
            const index = from + at;
            const entry = rowAt(index);
            return (
              <EntryRow
                key={index}
                height={grown ? height : null}
                index={index}
                entry={entry}
                price={price}
                isYou={entry !== undefined && entry.id === currentUserId}
                isTarget={entry !== undefined && entry.id === place?.entry.id}
              />
            );
          })}
          {taken && <Gap height={(total - to) * height} />}
        </tbody>
      </table>
    </div>
  );
}

/** Scrolls a row into view, no farther than it takes, or into the middle. All rows are of one height. */
function bring(board: HTMLElement | null, index: number, height: number, where: 'near' | 'middle' = 'near'): void {
  if (!board) return;
  const head = board.querySelector('thead')?.offsetHeight ?? 0;
  const highest = index * height;
  const lowest = highest + height + head - board.clientHeight;
  if (where === 'middle') board.scrollTop = (highest + lowest) / 2;
  else board.scrollTop = Math.max(lowest, Math.min(board.scrollTop, highest));
}

/** The room of the rows that are not in the page. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className="invisible block md:table-row">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- room, and nothing to use */}
      <td colSpan={COLUMNS.length} className="block p-0 md:table-cell" style={{ height }} />
    </tr>
  );
}
