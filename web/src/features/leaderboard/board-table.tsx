import { useCallback, useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { ArrowUpDown } from 'lucide-react';
import { Link } from 'wouter';
import type { BoardEntry, BoardFilter, BoardPlace } from '../../api/board';
import { cx } from '../../lib/cx';
import { EntryRow, ROW_GRID } from './entry-row';
import { OwnRow } from './own-row';
import { usePlaceInHistory } from './use-place-in-history';
import { useKeys } from './use-keys';
import { usePrintedRows } from './use-printed-rows';
import { useRowFocus } from './use-row-focus';
import { useRowHeight } from './use-row-height';
import { useRows } from './use-rows';
import { useMoves } from './use-moves';
import { useWindow } from './use-window';
import { WholeText } from './whole';

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
  /** Rows that the filter lets through. */
  total: number;
  price: number | null;
  /** The day in UTC, counted from the first of 1970. */
  today: number;
  currentUserId: string | null;
  /** One's own row, and where it stands among these. */
  own: BoardPlace | null;
  /** The row that a shared link leads to. */
  place: BoardPlace | null;
  /** Older rows are on show while newer ones are fetched. */
  stale: boolean;
  /** Everything that is proven, in BTC; null while unknown. */
  whole: number | null;
  /** Shows what is public of somebody; without it rows lead to profiles. */
  onOpen?: ((entry: BoardEntry) => void) | undefined;
  /** Whether single letters move through the rows. */
  letters: boolean;
  onSearch: () => void;
  /** What stands at the foot of the window, above one's own row. */
  note: ReactNode;
}

/**
 * The rows, of which only those on show are in the page: a board of a million scrolls like one of ten. It stays a table for screen
 * readers, which learn the number of rows and the position of each (ARIA 1.2, aria-rowcount). For the Tab key it is one stop.
 */
export function BoardTable(props: BoardTableProps) {
  const { filter, total, price, today, currentUserId, own, place, stale, whole, onOpen, letters, onSearch, note } = props;
  const board = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLTableSectionElement>(null);
  const list = useRef<HTMLTableSectionElement>(null);
  const height = useRowHeight();
  const history = usePlaceInHistory();
  const [met, setMet] = useState<number | null>(null);
  const ownIndex = own ? (own.index ?? met) : null;
  const rows = useWindow({ list, head, height, total, watched: ownIndex, onRest: history.keep });
  const printed = usePrintedRows(filter, total);
  const [from, to] = printed === null ? [rows.from, rows.to] : [0, printed];
  const rowAt = useRows(filter, from, to - 1, total);
  const { bring, goTo, top } = rows;
  useMoves(list, rowAt, from, to);
  // Where somebody without a rank stands is known once the row has been come across.
  const ownId = own?.index === null ? own.entry.id : null;
  const here = ownId === null ? -1 : Array.from({ length: to - from }, (_, at) => rowAt(from + at)?.id).indexOf(ownId);
  if (here !== -1 && from + here !== met) setMet(from + here);
  const move = useRowFocus({ board, total, first: top, bring });
  useKeys(letters, { onSearch, onMove: move });

  // Back where one was; otherwise another list begins at its top. Not while React is at work: the rows must be there before the page scrolls.
  useEffect(() => {
    const kept = history.kept();
    queueMicrotask(() => {
      if (kept !== null) goTo(kept);
      else if (top() > 0) goTo(0);
    });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each list
  }, []);

  // Once for each link; the reader may scroll away from the row that it leads to.
  // The list may be longer than the page knew when it came.
  const goal = place?.index != null && place.index < total ? place.index : null;
  useEffect(() => {
    if (goal !== null && history.kept() === null) queueMicrotask(() => bring(goal, 'middle'));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a change of the height is no reason to go there again
  }, [goal]);

  const showOwn = useCallback(() => ownIndex !== null && bring(ownIndex, 'middle'), [ownIndex, bring]);
  const away = own !== null && (ownIndex === null || !rows.seen);
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
            <tr role="row" aria-rowindex={1} className={cx(ROW_GRID, 'h-8 items-center text-left text-xs text-muted')}>
              {COLUMNS.map(({ label, className }) => (
                <th key={label} role="columnheader" scope="col" className={cx('font-medium', className)}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the keyboard has Enter, in use-row-focus.ts */}
          <tbody ref={list} role="rowgroup" className="flow-root" onClick={openRow}>
            {printed === null && <Gap height={rows.before} />}
            {Array.from({ length: to - from }, (_, at) => {
              const index = from + at;
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
                  whole={whole}
                  onOpen={onOpen}
                />
              );
            })}
            {printed === null && <Gap height={rows.behind} />}
          </tbody>
        </table>
        <WholeText around={board} />
      </div>
      {(note || away) && (
        <div className="sticky bottom-0 z-20 print:hidden">
          {note}
          {away && (
            <OwnRow entry={own.entry} price={price} today={today}>
              {ownIndex !== null ? (
                <button type="button" className={LEAD} onClick={showOwn}>
                  <ArrowUpDown className="size-3.5" aria-hidden="true" />
                  Show
                </button>
              ) : (
                own.entry.rank === null && (
                  <Link href="/upload" className={LEAD}>
                    Get a Rank
                  </Link>
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

/** A press anywhere in a row is one on its link. */
function openRow({ target }: MouseEvent<HTMLElement>): void {
  if (!(target instanceof Element) || target.closest('a, button') || window.getSelection()?.toString()) return;
  target.closest('tr')?.querySelector<HTMLElement>('a[href^="/profile/"]')?.click();
}

/** The room of the rows that are not in the page. */
function Gap({ height }: { height: number }) {
  if (height === 0) return null;
  return (
    <tr aria-hidden="true" className="invisible block" style={{ marginTop: Math.min(0, height) }}>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- room, and nothing to use */}
      <td colSpan={COLUMNS.length} className="block p-0" style={{ height: Math.max(0, height) }} />
    </tr>
  );
}
