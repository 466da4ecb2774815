import { useEffect, useState } from 'react';
import type { BoardSummary } from '../../api/types';
import { cx } from '../../lib/cx';
import { amountParts, formatCount, formatTime, plural } from '../../lib/format';
import type { HolderTier } from '../../lib/holder-tier';
import { ButtonLink } from '../../ui/button';
import { PageTitle } from '../../ui/page';
import { Histogram } from './histogram';

interface BoardHeadProps {
  summary: BoardSummary | undefined;
  /** When it was told, in milliseconds. */
  told: number;
  /** What of the page is not up to date any more. */
  trouble: Trouble;
  tier: HolderTier | null;
  onTier: (tier: HolderTier | null) => void;
}

/** The server does not answer; it does not tell of changes; neither. */
export type Trouble = 'api' | 'stream' | null;

/** Takes the room of what is not known yet, so that nothing moves when it comes. */
const UNKNOWN: BoardSummary = { people: 0, holders: 0, bitcoin: 0, tiers: [], block: null };

/** What the board is about: how much is proven, by how many, up to which block. */
export function BoardHead({ summary, told, trouble, tier, onTier }: BoardHeadProps) {
  const shown = summary ?? UNKNOWN;
  const unknown = summary === undefined && 'invisible';
  return (
    <header className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-10 gap-y-1 lg:grid-cols-[minmax(0,1fr)_28rem] lg:gap-y-0">
      <PageTitle title="Bitcoin Leaderboard" className="self-center text-base font-semibold text-muted" />
      <ButtonLink to="/upload" className="min-h-9! px-3! lg:hidden">
        Prove Your Bitcoin
      </ButtonLink>
      <div className={cx('col-span-2 min-w-0 lg:col-span-1 lg:col-start-1 lg:row-start-2', unknown)}>
        <Sum summary={shown} />
        <Checked summary={shown} told={told} trouble={trouble} />
      </div>
      <div className={cx('col-span-2 lg:col-span-1 lg:col-start-2 lg:row-span-2 lg:row-start-1', unknown)}>
        <Histogram summary={shown} chosen={tier} onChoose={onTier} />
      </div>
    </header>
  );
}

function Sum({ summary }: { summary: BoardSummary }) {
  const [whole, fraction, zeros] = amountParts(summary.bitcoin);
  return (
    <>
      <p className="num flex items-baseline text-[clamp(2rem,9vw,3.5rem)] leading-none font-bold tracking-tight whitespace-nowrap">
        <span className="text-accent-large">{whole}</span>
        <span className="text-[0.45em] text-muted">
          {fraction}
          <span className="font-medium text-faint">{zeros}</span>
        </span>
        <span className="ml-[0.25em] text-[0.6em]">BTC</span>
      </p>
      <p className="mt-1 text-sm text-muted md:text-base">
        proven by <strong className="font-semibold text-ink">{plural(summary.holders, 'holder')}</strong> with signatures over unspent coins. Nothing was moved.
      </p>
    </>
  );
}

const DOT = { live: 'bg-positive', gone: 'bg-warning' };

/** Up to which block the coins are known to be unspent, and whether the page is still told. */
function Checked({ summary, told, trouble }: { summary: BoardSummary; told: number; trouble: Trouble }) {
  const minute = useMinute();
  return (
    <p role="status" className={cx('num flex min-h-6 items-center gap-2 text-xs md:text-sm', trouble ? 'text-warning' : 'text-muted')}>
      <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', trouble ? DOT.gone : DOT.live)} />
      {trouble === 'api' ? (
        `The server does not answer. This is what it said at ${formatTime(new Date(told))}.`
      ) : trouble === 'stream' ? (
        `Changes are not told live at present. Last looked at ${formatTime(new Date(told))}.`
      ) : (
        <span>
          {summary.block ? `Checked to block ${formatCount(summary.block.height)}` : 'No block has been checked yet'}
          <Freshness since={summary.block?.since ?? null} now={minute} />
        </span>
      )}
    </p>
  );
}

const MINUTE_MS = 60_000;

/** The time, a minute at a time. */
function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}

/** How long ago the block came. */
function Freshness({ since, now }: { since: string | null; now: number }) {
  if (since === null) return ' · live';
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / MINUTE_MS));
  const ago = minutes < 1 ? 'just now' : minutes < 120 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
  return ` · ${ago} · live`;
}
