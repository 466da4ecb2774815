import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { ArrowUpDown } from 'lucide-react';
import { Link } from 'wouter';
import type { BoardEntry, BoardFilter, BoardPlace } from '../../api/board';
import { cx } from '../../lib/cx';
import { later } from '../../ui/later';
import { EntryRow } from './entry-row';
import { useMoves } from './use-moves';
import { openRow, useRowKeys } from './use-row-keys';
import { useRows } from './use-rows';
import { MOST_ROWS, useWindow } from './use-window';

/** For holders. */
const OwnRow = later(() => import('./own-row'));

const COLUMNS = [
  { label: 'Rank', className: '' },
  { label: 'User', className: '' },
  { label: 'Bitcoin', className: 'text-right' },
  { label: 'USD Value', className: 'text-right' },
  { label: 'Status', className: '' },
  { label: 'Profile', className: 'text-right' },
];

const LEAD = 'inline-flex items-center gap-1 rounded py-2 text-sm font-semibold text-accent-ink hover:underline';

interface BoardTableProps {
  filter: BoardFilter;
  /** The rows of the list. */
  total: number;
  price: number | null;
  /** The day in UTC, counted from the first of 1970. */
  today: number;
  currentUserId: string | null;
  /** The reader's own row and its position. */
  own: BoardPlace | null;
  /** The row of a shared link. */
  place: BoardPlace | null;
  /** Older rows are on show while newer ones are fetched. */
  stale: boolean;
  /** Shows what is public about a holder; without it rows lead to profiles. */
  onOpen?: ((entry: BoardEntry) => void) | undefined;
  /** Whether single letters are shortcuts. */
  letters: boolean;
  onSearch: () => void;
  /** A note at the foot of the window, above the reader's own row. */
  note: ReactNode;
}

/**
 * The rows, of which only those in sight are in the document. It stays a table for screen readers, which get the number of rows and the
 * position of each (ARIA 1.2, aria-rowcount). For the Tab key it is one stop.
 */
export function BoardTable(props: BoardTableProps) {
  const { filter, price, today, currentUserId, own, place, stale, onOpen, letters, onSearch, note } = props;
  const total = Math.min(props.total, MOST_ROWS);
  const board = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLTableSectionElement>(null);
  const list = useRef<HTMLTableSectionElement>(null);
  // A holder without a rank has no known position until the row has been in sight.
  const [met, setMet] = useState<number | null>(null);
  const ownIndex = own ? (own.index ?? met) : null;
  const { from, to, before, behind, seen, top, bring } = useWindow({ list, head, total, watched: ownIndex });
  const rowAt = useRows(filter, from, to - 1, total);
  const indices = Array.from({ length: to - from }, (_, at) => from + at);
  useMoves(list, rowAt, from, to);
  useRowKeys({ board, total, letters, top, bring, onSearch });
  const here = own?.index === null ? indices.find((index) => rowAt(index)?.id === own.entry.id) : undefined;
  if (here !== undefined && here !== met) setMet(here);

  // Once for each link. A reader who came back, or who has scrolled already, stays where they are.
  const goal = place?.index != null && place.index < total ? place.index : null;
  useEffect(() => {
    if (goal !== null && top() === 0) bring(goal, 'middle');
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another row height must not scroll there again
  }, [goal]);

  const away = own !== null && (ownIndex === null || !seen);
  return (
    <>
      <a
        href="#after-rows"
        className="sr-only rounded-lg bg-accent px-4 py-2 font-semibold text-on-accent focus:not-sr-only focus:absolute focus:z-20 focus:m-2"
      >
        Skip past the rows
      </a>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the one stop of the Tab key among the rows */}
      <div ref={board} role="region" aria-label="Leaderboard rows" tabIndex={0} className="relative [overflow-anchor:none] -outline-offset-2!">
        <table role="table" aria-label="Bitcoin Leaderboard" aria-rowcount={total + 1} className={cx('block w-full', stale && 'opacity-60')}>
          <thead ref={head} role="rowgroup" className="sr-only lg:not-sr-only lg:sticky! lg:top-16 lg:z-10 lg:block lg:border-y lg:border-line lg:bg-canvas print:static!">
            <tr role="row" aria-rowindex={1} className="row-grid h-8 items-center text-left text-xs text-muted">
              {COLUMNS.map(({ label, className }) => (
                <th key={label} role="columnheader" scope="col" className={cx('font-medium', className)}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the keyboard has Enter, in use-row-keys.ts */}
          <tbody ref={list} role="rowgroup" className="flow-root" onClick={onRowPress}>
            <Gap height={before} />
            {indices.map((index) => {
              const entry = rowAt(index);
              return (
                <EntryRow
                  key={index}
                  index={index}
                  entry={entry}
                  price={price}
                  today={today}
                  isYou={entry !== undefined && entry.id === currentUserId}
                  isTarget={entry !== undefined && entry.id === place?.entry.id}
                  onOpen={onOpen}
                />
              );
            })}
            <Gap height={behind} />
          </tbody>
        </table>
      </div>
      {(note || away) && (
        <div className="sticky bottom-0 z-20 print:hidden">
          {note}
          {away && (
            <OwnRow entry={own.entry} price={price} today={today}>
              {own.entry.rank === null ? (
                <Link href="/upload" className={LEAD}>
                  Get a Rank
                </Link>
              ) : (
                ownIndex !== null &&
                ownIndex < total && (
                  <button type="button" className={LEAD} onClick={() => bring(ownIndex, 'middle')}>
                    <ArrowUpDown className="size-3.5" aria-hidden="true" />
                    Show
                  </button>
                )
              )}
            </OwnRow>
          )}
        </div>
      )}
      <span id="after-rows" tabIndex={-1} />
    </>
  );
}

/** A press anywhere in a row follows the row's link. */
function onRowPress({ target }: MouseEvent<HTMLElement>): void {
  if (!(target instanceof Element) || target.closest('a, button') || window.getSelection()?.toString()) return;
  openRow(target.closest('tr'));
}

/** Room for the rows that are not in the document. */
function Gap({ height }: { height: number }) {
  if (height === 0) return null;
  return (
    <tr aria-hidden="true" className="invisible block">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- an empty cell */}
      <td colSpan={COLUMNS.length} className="block p-0" style={{ height }} />
    </tr>
  );
}
