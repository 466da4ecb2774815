import type { ReactNode } from 'react';
import type { BoardSummary } from '../../api/types';
import { cx } from '../../lib/cx';
import { amountParts, formatCount, formatTime, plural } from '../../lib/format';
import type { HolderTier } from '../../lib/holder-tier';
import { useNow } from '../../lib/use-now';
import { PageTitle } from '../../ui/page';
import { Histogram } from './histogram';

interface BoardHeadProps {
  summary: BoardSummary | undefined;
  tier: HolderTier | null;
  onTier: (tier: HolderTier | null) => void;
  /** After the line that says what this is. */
  children: ReactNode;
}

/** Why the page may be out of date: the server does not answer, or sends no live updates. */
export type Trouble = 'api' | 'stream' | null;

/** A placeholder of the same height. */
const UNKNOWN: BoardSummary = { people: 0, holders: 0, bitcoin: 0, tiers: [], block: null };

/** A chart of fewer holders says nothing. */
const FEWEST_HOLDERS = 3;

/** The title of the board, the proven total, and the number of holders by size. */
export function BoardHead({ summary, tier, onTier, children }: BoardHeadProps) {
  const shown = summary ?? UNKNOWN;
  const unknown = summary === undefined && 'invisible';
  return (
    <header className="grid items-end gap-x-8 gap-y-1 md:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0">
        <PageTitle title="Bitcoin Leaderboard" documentTitle="Bitcoin Leaderboard" className="text-sm font-semibold text-muted" />
        <div className={cx(unknown)}>
          <Sum summary={shown}>{children}</Sum>
        </div>
      </div>
      <div className={cx(unknown, shown.holders < FEWEST_HOLDERS && (summary ? 'invisible max-md:hidden' : 'invisible'))}>
        <Histogram summary={shown} chosen={tier} onChoose={onTier} />
      </div>
    </header>
  );
}

function Sum({ summary, children }: { summary: BoardSummary; children: ReactNode }) {
  const [whole, fraction, zeros] = amountParts(summary.bitcoin);
  return (
    <>
      <p className="num mt-1 flex items-baseline text-[clamp(2rem,9vw,2.75rem)] leading-none font-extrabold tracking-tight whitespace-nowrap">
        <span className="text-accent-large">{whole}</span>
        <span className="text-[0.5em] font-semibold text-muted">
          {fraction}
          <span className="text-faint">{zeros}</span>
        </span>
        <span className="ml-[0.25em] text-[0.6em] font-bold">BTC</span>
      </p>
      <p className="num mt-1.5 text-sm text-muted">
        {summary.holders === 0 ? 'No coins are proven yet.' : `${plural(summary.holders, 'holder')} proved they control these coins. No coins moved.`} {children}
      </p>
    </>
  );
}

interface CheckedProps {
  summary: BoardSummary | undefined;
  /** When the summary was fetched, in milliseconds. */
  fetchedAt: number;
  trouble: Trouble;
}

/** The block up to which the coins were unspent, and whether the page gets live updates. */
export function Checked({ summary, fetchedAt, trouble }: CheckedProps) {
  const now = useNow(MINUTE_MS);
  const time = formatTime(new Date(fetchedAt));
  return (
    <p role="status" className={cx('num flex min-h-6 items-center gap-2 text-xs lg:text-[0.8125rem]', trouble ? 'text-warning' : 'text-muted', !summary && 'invisible')}>
      <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', trouble ? 'bg-warning' : 'bg-positive')} />
      {trouble === 'api' ? (
        `Can’t reach the server. Showing data from ${time}.`
      ) : trouble === 'stream' ? (
        `Live updates paused. Last update ${time}.`
      ) : (
        <span>
          {summary?.block ? `Checked to block ${formatCount(summary.block.height)}` : 'No block has been checked yet'}
          <Freshness since={summary?.block?.since ?? null} now={now} />
        </span>
      )}
    </p>
  );
}

const MINUTE_MS = 60_000;

/** The age of the block. */
function Freshness({ since, now }: { since: string | null; now: number }) {
  if (since === null) return ' · live';
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / MINUTE_MS));
  const ago = minutes < 1 ? 'just now' : minutes < 120 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
  return ` · ${ago} · live`;
}
