import { memo, type ReactNode } from 'react';
import { BadgeCheck, ChevronRight, CircleDashed, FileCheck2 } from 'lucide-react';
import { Link } from 'wouter';
import type { BoardEntry } from '../../api/board';
import { cx } from '../../lib/cx';
import { isLongName } from '../../lib/names';
import { Avatar } from '../../ui/avatar';
import { HolderBadge } from '../../ui/holder-badge';
import { RankBadge } from './rank-badge';
import { rowWords, type RowWords } from './row-words';

/** The columns of a row, which those of the table's head and of one's pinned row follow. Two lines on a phone. */
export const ROW_GRID =
  'grid grid-cols-[minmax(2.5rem,auto)_1.75rem_minmax(0,1fr)_auto_1rem] max-[22.5rem]:grid-cols-[minmax(2.5rem,auto)_0_minmax(0,1fr)_auto_1rem] gap-x-2 px-4 md:grid-cols-[minmax(3rem,auto)_minmax(0,1fr)_9.5rem_5.75rem_7rem_5rem] md:gap-x-2 lg:grid-cols-[4.5rem_minmax(0,1fr)_10rem_5.75rem_7.5rem_5.5rem] lg:gap-x-4 lg:px-5 xl:grid-cols-[4.5rem_minmax(0,1fr)_17.25rem_5.75rem_7.5rem_5.5rem]';

/** The picture, for which the narrowest windows have no room. */
export const FACE = 'max-[22.5rem]:invisible max-[22.5rem]:w-0 max-[22.5rem]:overflow-hidden';

/** The height of every row, in rem: `use-row-height.ts` has the same. */
const HEIGHT = 'h-14 md:h-10';

interface EntryRowProps {
  /** The position on the board, from 0. */
  index: number;
  /** Nobody while the row's page is on its way. */
  entry: BoardEntry | undefined;
  /** Dollars per BTC; null while unknown. */
  price: number | null;
  /** The day in UTC, counted from the first of 1970. */
  today: number;
  isYou: boolean;
  /** The row that a shared link leads to. */
  isTarget: boolean;
}

/** One person. On a phone the cells stand in two lines; the roles keep it a table for screen readers. */
export const EntryRow = memo(function EntryRow({ index, entry, price, today, isYou, isTarget }: EntryRowProps) {
  return (
    <tr
      role="row"
      // The row of the column heads is the first.
      aria-rowindex={index + 2}
      data-index={index}
      data-target={isTarget || undefined}
      tabIndex={-1}
      className={cx(
        ROW_GRID,
        HEIGHT,
        'content-center items-center gap-y-0.5 border-t border-line text-sm focus-visible:outline-2! focus-visible:-outline-offset-2! md:content-stretch',
        isYou || isTarget ? 'bg-accent-soft shadow-[inset_3px_0_var(--accent)]' : 'md:hover:bg-raised/60',
      )}
    >
      {entry ? <Cells entry={entry} price={price} today={today} isYou={isYou} /> : <Waiting />}
    </tr>
  );
});

function Waiting() {
  return (
    <td role="cell" colSpan={6} className="col-span-full">
      <span className="sr-only">Loading...</span>
      <span aria-hidden="true" className="flex items-center gap-4">
        <span className="h-4 w-8 rounded bg-raised" />
        <span className="size-7 rounded-full bg-raised" />
        <span className="h-4 w-40 max-w-[30%] rounded bg-raised" />
        <span className="ml-auto h-4 w-28 rounded bg-raised" />
      </span>
    </td>
  );
}

interface CellsProps {
  entry: BoardEntry;
  price: number | null;
  today: number;
  isYou: boolean;
}

function Cells({ entry, price, today, isYou }: CellsProps) {
  const words = rowWords(entry, price, today);
  const { id, username, verified, rank } = entry;
  return (
    <>
      <td role="cell" className="row-span-2 self-center md:row-span-1">
        <RankBadge rank={rank} />
      </td>
      <td role="cell" className="contents min-w-0 md:flex md:items-center md:gap-2.5">
        <span className={cx(FACE, 'row-span-2 self-center md:shrink-0')}>
          <Avatar picture={words.picture} initial={words.initial} size="tiny" />
        </span>
        <span className="flex min-w-0 items-center gap-1.5 md:contents">
          <Name words={words} username={username} />
          {words.published !== null && (
            <a
              href={`/verify?profile=${id}`}
              aria-label={`Published proofs of ${words.name}: ${words.published} of ${words.amount} BTC`}
              data-whole={`Published: ${words.published} of ${words.amount} BTC. Check it yourself`}
              tabIndex={-1}
              className="shrink-0 rounded p-0.5 text-positive"
            >
              <FileCheck2 className="size-4" aria-hidden="true" />
            </a>
          )}
          {isYou && <span className="shrink-0 text-xs font-medium text-accent-ink">(you)</span>}
        </span>
        <span className="col-start-3 row-start-2 flex min-w-0 items-center max-md:[&>span]:border-0 max-md:[&>span]:px-0 md:shrink-0 [&_svg]:hidden lg:[&_svg]:block">
          <HolderBadge tier={words.tier} />
        </span>
      </td>
      <td role="cell" className="num col-start-4 row-start-1 flex items-center justify-end gap-5 self-center md:col-start-auto md:row-start-auto">
        <Bar length={words.bar} />
        <span className="text-[0.8125rem] whitespace-nowrap md:text-sm lg:w-40 lg:text-right">
          <span className={verified ? 'font-semibold' : 'text-muted'}>{words.amount}</span>
          <span className="text-faint">{words.zeros}</span>
        </span>
      </td>
      <td role="cell" className="num contents text-right text-muted md:block md:self-center">
        <span className="col-start-4 row-start-2 block text-xs whitespace-nowrap md:text-sm">
          {words.exact === null ? words.usd : <Whole text={words.exact}>{words.usd}</Whole>}
        </span>
      </td>
      <td role="cell" className="contents md:block md:self-center">
        {/* On a phone behind the tier, in a column of its own, as far as the value leaves room. */}
        <span className="col-span-2 col-start-3 row-start-2 flex pl-15 whitespace-nowrap md:pl-0">
          <Status words={words} verified={verified} />
        </span>
      </td>
      <td role="cell" className="contents text-right md:block md:self-center">
        {/* On a phone a sign, which is as large to a finger as it should be. */}
        <Link
          href={`/profile/${id}`}
          aria-label={`View Profile of ${username}`}
          tabIndex={-1}
          className="relative col-start-5 row-span-2 row-start-1 flex h-full items-center justify-end rounded text-sm font-medium whitespace-nowrap text-muted before:absolute before:-inset-y-2 before:-right-4 before:-left-3 hover:text-ink hover:underline md:static md:inline md:py-1 md:before:hidden"
        >
          <ChevronRight className="size-4 md:hidden" aria-hidden="true" />
          <span className="sr-only md:not-sr-only">View Profile</span>
        </Link>
      </td>
    </>
  );
}

interface NameProps {
  words: RowWords;
  username: string;
}

/** The name, in one line; the whole of it is shown on demand (`whole.tsx`). */
function Name({ words, username }: NameProps) {
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
      <span data-whole="" className={look}>
        {letters}
      </span>
    );
  }
  return (
    <a
      href={words.page}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={words.name}
      data-whole=""
      tabIndex={-1}
      className={cx(look, 'hover:underline')}
    >
      {letters}
    </a>
  );
}

/** Holdings on a log scale, for the eye alone: the amount stands beside it. */
function Bar({ length }: { length: number }) {
  return (
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="hidden h-1.5 w-24 shrink-0 xl:block">
      <rect width="100" height="4" rx="2" className="fill-raised" />
      <rect width={length} height="4" rx="2" className="fill-accent" />
    </svg>
  );
}

/** What is short for something, which screen readers read and others get on demand. */
function Whole({ text, className, children }: { text: string; className?: string; children: ReactNode }) {
  return (
    <button type="button" data-whole={text} tabIndex={-1} className={cx('rounded', className)}>
      {children}
      <span className="sr-only"> ({text})</span>
    </button>
  );
}

function Status({ words, verified }: { words: RowWords; verified: boolean }) {
  if (!verified) {
    return (
      <span className="flex items-center gap-1 text-xs text-muted md:text-sm">
        <CircleDashed className="size-3.5 shrink-0 max-[22.5rem]:hidden md:size-4" aria-hidden="true" />
        Unverified
      </span>
    );
  }
  return (
    <Whole text={words.since} className="flex items-center gap-1 text-xs font-medium text-positive md:text-sm">
      <BadgeCheck className="size-3.5 shrink-0 max-[22.5rem]:hidden md:size-4" aria-hidden="true" />
      Verified <span className="num font-normal text-muted max-[22.5rem]:hidden">{words.age}</span>
    </Whole>
  );
}
