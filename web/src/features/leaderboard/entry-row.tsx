import { memo, type ReactNode } from 'react';
import { BadgeCheck, ChevronRight, CircleDashed, FileCheck2 } from 'lucide-react';
import { Link } from 'wouter';
import type { BoardEntry } from '../../api/board';
import { cx } from '../../lib/cx';
import { HOLDER_TIERS } from '../../lib/holder-tier';
import { Avatar } from '../../ui/avatar';
import { HolderBadge } from '../../ui/holder-badge';
import { OneOf, useWords } from '../../ui/places';
import { RankBadge } from './rank-badge';
import { rowWords, STANDS, type RowWords } from './row-words';

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
  /** Whether the keys move among what can be used in a row. Without scripts the Tab key does. */
  keys: boolean;
}

/** One person. On a phone the cells stand in two lines; the roles keep it a table for screen readers. */
export const EntryRow = memo(function EntryRow({ index, entry, price, today, isYou, isTarget, keys }: EntryRowProps) {
  // The row of the column heads is the first.
  const place = useWords(() => ({ index, rowindex: index + 2 }));
  return (
    <tr
      role="row"
      aria-rowindex={place.rowindex}
      data-index={place.index}
      data-target={isTarget || undefined}
      tabIndex={-1}
      className={cx(
        ROW_GRID,
        HEIGHT,
        'content-center items-center gap-y-0.5 border-t border-line text-sm focus-visible:outline-2! focus-visible:-outline-offset-2! md:content-stretch',
        isYou || isTarget ? 'bg-accent-soft shadow-[inset_3px_0_var(--accent)]' : 'md:hover:bg-raised/60',
      )}
    >
      {entry ? <Cells entry={entry} price={price} today={today} isYou={isYou} keys={keys} /> : <Waiting />}
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
  keys: boolean;
}

function Cells({ entry, price, today, isYou, keys }: CellsProps) {
  const words = useWords(() => rowWords(entry, price, today));
  const tab = keys ? { tabIndex: -1 } : {};
  return (
    <>
      <td role="cell" className="row-span-2 self-center md:row-span-1">
        <OneOf name="stand" among={STANDS} is={words.stand}>
          {(stand) => <RankBadge stand={stand} rank={words.rank} />}
        </OneOf>
      </td>
      <td role="cell" className="contents min-w-0 md:flex md:items-center md:gap-2.5">
        <span className={cx(FACE, 'row-span-2 self-center md:shrink-0')}>
          <OneOf name="face" among={['picture', 'initial']} is={words.face}>
            {(face) => <Avatar picture={face === 'picture' ? words.picture : null} initial={words.initial} size="tiny" />}
          </OneOf>
        </span>
        <span className="flex min-w-0 items-center gap-1.5 md:contents">
          <Name words={words} tab={tab} />
          <OneOf name="published" among={['some', 'none']} is={words.published}>
            {(published) =>
              published === 'some' && (
                <a
                  href={`/verify?profile=${words.id}`}
                  aria-label={`Published proofs of ${words.name}: ${words.part} of ${words.amount} BTC`}
                  data-whole={`Published: ${words.part} of ${words.amount} BTC. Check it yourself`}
                  {...tab}
                  className="shrink-0 rounded p-0.5 text-positive"
                >
                  <FileCheck2 className="size-4" aria-hidden="true" />
                </a>
              )
            }
          </OneOf>
          {isYou && <span className="shrink-0 text-xs font-medium text-accent-ink">(you)</span>}
        </span>
        <span className="col-start-3 row-start-2 flex min-w-0 items-center max-md:[&>span]:border-0 max-md:[&>span]:px-0 md:shrink-0 [&_svg]:hidden lg:[&_svg]:block">
          <OneOf name="tier" among={HOLDER_TIERS} is={words.tier}>
            {(tier) => <HolderBadge tier={tier} />}
          </OneOf>
        </span>
      </td>
      <td role="cell" className="num col-start-4 row-start-1 flex items-center justify-end gap-5 self-center md:col-start-auto md:row-start-auto">
        <Bar length={words.bar} />
        <span className="text-[0.8125rem] whitespace-nowrap md:text-sm lg:w-40 lg:text-right">
          <OneOf name="status" among={['verified', 'unverified']} is={words.status}>
            {(status) => <span className={status === 'verified' ? 'font-semibold' : 'text-muted'}>{words.amount}</span>}
          </OneOf>
          <span className="text-faint">{words.zeros}</span>
        </span>
      </td>
      <td role="cell" className="num contents text-right text-muted md:block md:self-center">
        <span className="col-start-4 row-start-2 block text-xs whitespace-nowrap md:text-sm">
          <Worth words={words} tab={tab} />
        </span>
      </td>
      <td role="cell" className="contents md:block md:self-center">
        {/* On a phone behind the tier, in a column of its own, as far as the value leaves room. */}
        <span className="col-span-2 col-start-3 row-start-2 flex pl-15 whitespace-nowrap md:pl-0">
          <Status words={words} tab={tab} />
        </span>
      </td>
      <td role="cell" className="contents text-right md:block md:self-center">
        {/* On a phone a sign, which is as large to a finger as it should be. */}
        <Link
          href={`/profile/${words.id}`}
          aria-label={`View Profile of ${words.username}`}
          {...tab}
          className="relative col-start-5 row-span-2 row-start-1 flex h-full items-center justify-end rounded text-sm font-medium whitespace-nowrap text-muted before:absolute before:-inset-y-2 before:-right-4 before:-left-3 hover:text-ink hover:underline md:static md:inline md:py-1 md:before:hidden"
        >
          <ChevronRight className="size-4 md:hidden" aria-hidden="true" />
          <span className="sr-only md:not-sr-only">View Profile</span>
        </Link>
      </td>
    </>
  );
}

interface Tab {
  tabIndex?: number;
}

/** The name, in one line; the whole of it is shown on demand (`whole.tsx`). */
function Name({ words, tab }: { words: RowWords; tab: Tab }) {
  return (
    <OneOf name="wrap" among={['short', 'long']} is={words.wrap}>
      {(wrap) => {
        const look = cx('min-w-0 truncate font-semibold', wrap === 'long' && 'tracking-tight');
        return (
          <OneOf name="link" among={['x', 'none']} is={words.link}>
            {(link) =>
              link === 'x' ? (
                <a
                  href={words.page}
                  target="_blank"
                  rel="noopener noreferrer"
                  aria-label={words.name}
                  data-whole=""
                  {...tab}
                  className={cx(look, 'hover:underline')}
                >
                  <Letters words={words} />
                </a>
              ) : (
                <span data-whole="" className={look}>
                  <Letters words={words} />
                </span>
              )
            }
          </OneOf>
        );
      }}
    </OneOf>
  );
}

/** A name that is written from right to left is cut off at its own end, which is on the left. */
function Letters({ words }: { words: RowWords }) {
  return (
    <OneOf name="script" among={['ltr', 'rtl']} is={words.script}>
      {(script) =>
        script === 'ltr' ? (
          <bdi>{words.name}</bdi>
        ) : (
          <span className="flex min-w-0">
            <span className="shrink-0">{words.before}</span>
            <bdi className="min-w-0 truncate">{words.username}</bdi>
          </span>
        )
      }
    </OneOf>
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

function Worth({ words, tab }: { words: RowWords; tab: Tab }) {
  return (
    <OneOf name="worth" among={['known', 'unknown']} is={words.worth}>
      {(worth) =>
        worth === 'known' ? (
          <Whole text={words.exact} tab={tab}>
            {words.usd}
          </Whole>
        ) : (
          words.usd
        )
      }
    </OneOf>
  );
}

/** What is short for something, which screen readers read and others get on demand. */
function Whole({ text, tab, className, children }: { text: string; tab: Tab; className?: string; children: ReactNode }) {
  return (
    <button type="button" data-whole={text} {...tab} className={cx('rounded', className)}>
      {children}
      <span className="sr-only"> ({text})</span>
    </button>
  );
}

function Status({ words, tab }: { words: RowWords; tab: Tab }) {
  return (
    <OneOf name="status" among={['verified', 'unverified']} is={words.status}>
      {(status) =>
        status === 'verified' ? (
          <Whole text={words.since} tab={tab} className="flex items-center gap-1 text-xs font-medium text-positive md:text-sm">
            <BadgeCheck className="size-3.5 shrink-0 max-[22.5rem]:hidden md:size-4" aria-hidden="true" />
            Verified <span className="num font-normal text-muted max-[22.5rem]:hidden">{words.age}</span>
          </Whole>
        ) : (
          <span className="flex items-center gap-1 text-xs text-muted md:text-sm">
            <CircleDashed className="size-3.5 shrink-0 max-[22.5rem]:hidden md:size-4" aria-hidden="true" />
            Unverified
          </span>
        )
      }
    </OneOf>
  );
}
