import { memo } from 'react';
import { BadgeCheck, ChevronRight, FileCheck2, Trophy } from 'lucide-react';
import { Link } from 'wouter';
import type { BoardEntry } from '../../api/board';
import { cx } from '../../lib/cx';
import { isLongName } from '../../lib/names';
import { Avatar } from '../../ui/avatar';
import { formatCount, NOT_AVAILABLE } from '../../lib/format';
import { rowWords, sinceWords, type RowWords } from './row-words';

/** The picture, for which the narrowest windows have no room. */
export const FACE = 'max-[22.5rem]:invisible max-[22.5rem]:w-0 max-[22.5rem]:overflow-hidden';

/** The height of every row, in rem: `use-window.ts` has the same. */
const HEIGHT = 'h-14 lg:h-10';

interface EntryRowProps {
  /** The position on the board, from 0. */
  index: number;
  /** Undefined while the row is loading. */
  entry: BoardEntry | undefined;
  /** Dollars per BTC; null while unknown. */
  price: number | null;
  /** The day in UTC, counted from the first of 1970. */
  today: number;
  isYou: boolean;
  /** The row of a shared link. */
  isTarget: boolean;
  /** Shows what is public about a holder, for visitors, whom the profile would send to sign in. */
  onOpen?: ((entry: BoardEntry) => void) | undefined;
}

/** One holder. On a phone the cells take two lines; the roles keep it a table for screen readers. */
export const EntryRow = memo(function EntryRow({ index, entry, price, today, isYou, isTarget, onOpen }: EntryRowProps) {
  return (
    <tr
      role="row"
      // The row of the column heads is the first.
      aria-rowindex={index + 2}
      data-index={index}
      data-target={isTarget || undefined}
      tabIndex={-1}
      className={cx(
        HEIGHT,
        'row-grid content-center items-center gap-y-0.5 border-t border-line text-sm focus-visible:outline-2! focus-visible:-outline-offset-2! lg:content-stretch',
        isYou || isTarget ? 'bg-accent-soft shadow-[inset_3px_0_var(--accent)]' : 'lg:hover:bg-raised/60',
      )}
    >
      {entry ? (
        <Cells entry={entry} price={price} today={today} isYou={isYou} onOpen={onOpen} />
      ) : (
        <td role="cell" colSpan={6} className="col-span-full">
          <span className="sr-only">Loading...</span>
          <RowSkeleton />
        </td>
      )}
    </tr>
  );
});

/** The outline of a row. */
export function RowSkeleton() {
  return (
    <span aria-hidden="true" className="flex items-center gap-4">
      <span className="h-4 w-8 rounded bg-raised" />
      <span className="size-7 rounded-full bg-raised" />
      <span className="h-4 w-40 max-w-[30%] rounded bg-raised" />
      <span className="ml-auto h-4 w-28 rounded bg-raised" />
    </span>
  );
}

type CellsProps = Pick<EntryRowProps, 'price' | 'today' | 'isYou' | 'onOpen'> & { entry: BoardEntry };

function Cells({ entry, price, today, isYou, onOpen }: CellsProps) {
  const words = rowWords(entry, price, today);
  const { id, username, verified, rank } = entry;
  return (
    <>
      <td role="cell" className="row-span-2 self-center lg:row-span-1">
        <RankBadge rank={rank} />
      </td>
      <td role="cell" className="contents min-w-0 lg:flex lg:items-center lg:gap-2.5">
        <span className={cx(FACE, 'row-span-2 self-center lg:shrink-0')}>
          <Avatar picture={words.picture} initial={words.initial} seed={id} size="row" />
        </span>
        <span className="flex min-w-0 items-center gap-1 md:gap-1.5">
          <Name words={words} username={username} />
          {verified && <BadgeCheck className="size-4 shrink-0 text-positive" aria-hidden="true" />}
          {words.published !== null && (
            <a
              href={`/verify?profile=${id}`}
              aria-label={`Published proofs of ${words.name}: ${words.published} of ${words.amount} BTC`}
              title={`Published: ${words.published} of ${words.amount} BTC. Check it yourself`}
              tabIndex={-1}
              className="shrink-0 rounded p-0.5 text-positive"
            >
              <FileCheck2 className="size-4" aria-hidden="true" />
            </a>
          )}
        </span>
        {/* Below the name where a row has two lines: the name needs the first. */}
        {isYou && <span className="col-start-3 row-start-2 shrink-0 text-xs font-medium text-accent-ink">(you)</span>}
        <span className="hidden shrink-0 text-[0.8125rem] text-muted lg:block">{words.tier}</span>
      </td>
      <td role="cell" className="num col-start-4 row-start-1 flex items-center justify-end gap-3 self-center lg:col-start-auto lg:row-start-auto">
        <span className="text-[0.8125rem] whitespace-nowrap lg:w-40 lg:text-right lg:text-sm">
          <Amount words={words} verified={verified} />
        </span>
      </td>
      <td role="cell" className="num contents text-right text-muted lg:block lg:self-center">
        <span className="col-start-4 row-start-2 block text-right text-xs whitespace-nowrap md:text-[0.8125rem] lg:text-sm">
          <Short text={words.usd} whole={words.exact} />
        </span>
      </td>
      <td role="cell" className="contents lg:block lg:self-center">
        <span className={cx('col-start-3 row-start-2 flex min-w-0 items-center gap-1 overflow-hidden text-xs whitespace-nowrap text-muted md:text-[0.8125rem]', isYou && 'max-lg:ml-9')}>
          {/* Where both have no room, the tier gives way. */}
          <span aria-hidden="true" className="min-w-0 shrink-[99] truncate lg:hidden">
            {words.tier} ·
          </span>
          <Status words={words} verified={verified} />
        </span>
      </td>
      <td role="cell" className="contents text-right lg:block lg:self-center">
        {/* On a phone a sign, which is as large to a finger as it should be. */}
        <Link
          href={`/profile/${id}`}
          aria-label={`View Profile of ${username}`}
          tabIndex={-1}
          onClick={(event) => {
            if (!onOpen || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            onOpen(entry);
          }}
          className="relative col-start-5 row-span-2 row-start-1 flex h-full items-center justify-end rounded text-sm font-medium whitespace-nowrap text-muted before:absolute before:-inset-y-2 before:-right-4 before:-left-3 hover:text-ink hover:underline lg:static lg:inline lg:py-1 lg:before:hidden"
        >
          <ChevronRight className="size-4 lg:hidden" aria-hidden="true" />
          <span className="sr-only lg:not-sr-only">View Profile</span>
        </Link>
      </td>
    </>
  );
}

/** The name in one line; the pointer shows all of it. */
function Name({ words, username }: { words: RowWords; username: string }) {
  const look = cx('min-w-0 truncate font-semibold', isLongName(username) && 'tracking-tight');
  const letters = words.fromTheRight ? (
    // Cut off at its own end, which is on the left.
    <span className="flex min-w-0">
      <span className="shrink-0">{words.before}</span>
      <bdi className="min-w-0 truncate">{username}</bdi>
    </span>
  ) : (
    <bdi>{words.name}</bdi>
  );
  if (words.page === null) {
    return (
      <span title={words.name} className={look}>
        {letters}
      </span>
    );
  }
  return (
    <a href={words.page} target="_blank" rel="noopener noreferrer" title={words.name} tabIndex={-1} className={cx(look, 'hover:underline')}>
      {letters}
    </a>
  );
}

/** The amount: whole bitcoins bold, trailing zeros faint. */
export function Amount({ words, verified }: { words: RowWords; verified: boolean }) {
  const [, whole = words.amount, fraction] = /^([\d,]+)(\..*)$/.exec(words.amount) ?? [];
  return (
    <>
      <span className={verified ? 'font-semibold' : 'text-muted'}>{whole}</span>
      {fraction}
      <span className="text-faint">{words.zeros}</span>
    </>
  );
}

/** A short form, with the whole for the pointer and for screen readers. */
function Short({ text, whole }: { text: string; whole: string | null }) {
  return (
    <span title={whole ?? undefined}>
      {text}
      {whole !== null && <span className="sr-only"> ({whole})</span>}
    </span>
  );
}

function Status({ words, verified }: { words: RowWords; verified: boolean }) {
  if (!verified) return <span>Unverified</span>;
  return (
    <span title={words.since} className={cx('min-w-0 truncate', words.ends !== null && 'font-medium text-warning')}>
      <span className={cx(words.age && 'max-sm:sr-only')}>Verified {words.ends !== null && '· '}</span>
      <span className="num">{words.ends ?? sinceWords(words.age)}</span>
      <span className="sr-only"> ({words.since})</span>
    </span>
  );
}

const METALS: Record<number, string> = { 1: 'gold', 2: 'silver', 3: 'bronze' };

/** Trophies for the first three ranks, numbers for the rest. */
function RankBadge({ rank }: { rank: number | null }) {
  if (rank === null) return <span className="text-sm text-muted">{NOT_AVAILABLE}</span>;
  const metal = METALS[rank];
  if (!metal) return <span className="num text-xs text-muted lg:text-sm">{formatCount(rank)}</span>;
  return (
    <span className={cx('inline-flex items-center gap-1 rounded-full px-1.5 py-0.5 align-middle text-sm font-bold lg:px-2', metal)}>
      <Trophy className="size-3.5" aria-hidden="true" />
      <span className="sr-only">Rank</span>
      <span className="num">{rank}</span>
    </span>
  );
}
