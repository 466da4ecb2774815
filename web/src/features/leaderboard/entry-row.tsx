import { memo } from 'react';
import { BadgeCheck, CircleDashed } from 'lucide-react';
import { Link } from 'wouter';
import type { BoardEntry } from '../../api/board';
import { cx } from '../../lib/cx';
import { HOLDER_TIERS } from '../../lib/holder-tier';
import { Avatar } from '../../ui/avatar';
import { Badge } from '../../ui/badge';
import { HolderBadge } from '../../ui/holder-badge';
import { OneOf, useWords } from '../../ui/places';
import { RankBadge } from './rank-badge';
import { rowWords, STANDS, type RowWords } from './row-words';

interface EntryRowProps {
  /** In pixels, where the content of some row needs more than the usual. */
  height: number | null;
  /** The position on the board, from 0. */
  index: number;
  /** Nobody while the row's page is on its way. */
  entry: BoardEntry | undefined;
  /** Dollars per BTC; null while unknown. */
  price: number | null;
  isYou: boolean;
  /** The row that a shared link leads to. */
  isTarget: boolean;
}

/** One person. On a phone the cells of the row stack; the roles keep it a table for screen readers. */
export const EntryRow = memo(function EntryRow({ height, index, entry, price, isYou, isTarget }: EntryRowProps) {
  // The row of the column heads is the first.
  const place = useWords(() => ({ index, rowindex: index + 2 }));
  return (
    <tr
      role="row"
      aria-rowindex={place.rowindex}
      data-index={place.index}
      data-target={isTarget || undefined}
      tabIndex={-1}
      {...(height === null ? {} : { style: { height } })}
      className={cx(
        'h-42 md:h-19 grid grid-cols-[4rem_1fr_auto] content-center items-center gap-x-3 gap-y-2 border-t border-line px-4 py-2 focus-visible:outline-2! focus-visible:-outline-offset-2! md:table-row md:px-0 md:first:border-t-0',
        isYou || isTarget ? 'bg-accent-soft' : 'md:hover:bg-raised/60',
      )}
    >
      {entry ? <Cells entry={entry} price={price} isYou={isYou} /> : <Waiting />}
    </tr>
  );
});

function Waiting() {
  return (
    <td role="cell" colSpan={6} className="col-span-3 md:px-6">
      <span className="sr-only">Loading...</span>
      <span aria-hidden="true" className="flex items-center gap-4">
        <span className="h-4 w-8 rounded bg-raised" />
        <span className="size-10 rounded-full bg-raised" />
        <span className="h-4 w-40 max-w-[30%] rounded bg-raised" />
        <span className="ml-auto h-4 w-28 rounded bg-raised" />
      </span>
    </td>
  );
}

function Cells({ entry, price, isYou }: { entry: BoardEntry; price: number | null; isYou: boolean }) {
  const words = useWords(() => rowWords(entry, price));
  return (
    <>
      <td role="cell" className="row-start-1 md:py-3 md:pr-2 md:pl-4 lg:pl-6">
        <OneOf name="stand" among={STANDS} is={words.stand}>
          {(stand) => <RankBadge stand={stand} rank={words.rank} />}
        </OneOf>
      </td>
      <td role="cell" className="col-span-2 row-start-1 min-w-0 md:px-2 md:py-3 lg:px-3">
        <User words={words} isYou={isYou} />
      </td>
      <td role="cell" className="num col-span-2 row-start-2 md:px-2 md:py-3 lg:px-3 md:text-right">
        <CellLabel>Bitcoin</CellLabel>
        <span className="font-semibold">{words.bitcoin}</span>
      </td>
      <td role="cell" className="num row-start-2 text-right text-muted md:px-2 md:py-3 lg:px-3">
        <CellLabel>USD Value</CellLabel>
        {words.usd}
      </td>
      <td role="cell" className="col-span-2 row-start-3 md:px-2 md:py-3 lg:px-3">
        <Status words={words} />
      </td>
      <td role="cell" className="row-start-3 text-right md:py-3 md:pr-4 md:pl-2 lg:pr-6 lg:pl-3">
        <Link
          href={`/profile/${words.id}`}
          aria-label={`View Profile of ${words.username}`}
          className="inline-block rounded py-1 text-sm font-semibold whitespace-nowrap text-accent-ink hover:underline"
        >
          View Profile
        </Link>
      </td>
    </>
  );
}

/** The column's name, where the table head is not shown. Screen readers have the head. */
function CellLabel({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className="block text-xs font-medium text-muted md:hidden">
      {children}
    </span>
  );
}

function User({ words, isYou }: { words: RowWords; isYou: boolean }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <OneOf name="face" among={['picture', 'initial']} is={words.face}>
        {(face) => <Avatar picture={face === 'picture' ? words.picture : null} initial={words.initial} />}
      </OneOf>
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="inline-flex min-w-0 items-center gap-1.5">
          <Name words={words} />
          <OneOf name="status" among={['verified', 'unverified']} is={words.status}>
            {(status) =>
              status === 'verified' && <BadgeCheck className="size-4.5 shrink-0 text-accent-ink" role="img" aria-label="Verified" />
            }
          </OneOf>
        </span>
        {isYou && <span className="text-sm font-medium text-accent-ink">(you)</span>}
        <OneOf name="tier" among={HOLDER_TIERS} is={words.tier}>
          {(tier) => <HolderBadge tier={tier} />}
        </OneOf>
      </div>
    </div>
  );
}

function Name({ words }: { words: RowWords }) {
  return (
    <OneOf name="wrap" among={['short', 'long']} is={words.wrap}>
      {(wrap) => {
        const look = cx('min-w-0 font-semibold', wrap === 'long' ? 'break-all' : 'wrap-anywhere');
        return (
          <OneOf name="link" among={['x', 'none']} is={words.link}>
            {(link) =>
              link === 'x' ? (
                <a href={words.page} target="_blank" rel="noopener noreferrer" className={cx(look, 'hover:underline')}>
                  {words.name}
                </a>
              ) : (
                <span className={look}>{words.name}</span>
              )
            }
          </OneOf>
        );
      }}
    </OneOf>
  );
}

function Status({ words }: { words: RowWords }) {
  return (
    <OneOf name="status" among={['verified', 'unverified']} is={words.status}>
      {(status) =>
        status === 'verified' ? (
          <Badge tone="positive">
            <BadgeCheck className="size-3.5" aria-hidden="true" />
            Verified
          </Badge>
        ) : (
          <Badge>
            <CircleDashed className="size-3.5" aria-hidden="true" />
            Unverified
          </Badge>
        )
      }
    </OneOf>
  );
}
