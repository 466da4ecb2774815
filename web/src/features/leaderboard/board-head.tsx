import type { BoardEntry } from '../../api/board';
import type { BoardSummary } from '../../api/types';
import { cx } from '../../lib/cx';
import { amountParts, formatCount, formatTime, plural } from '../../lib/format';
import type { HolderTier } from '../../lib/holder-tier';
import { useNow } from '../../lib/use-now';
import { PageTitle } from '../../ui/page';
import { Histogram } from './histogram';
import { ShareOfTotal } from './share-of-total';

interface BoardHeadProps {
  summary: BoardSummary | undefined;
  /** The first rows of the whole board; empty while unknown. */
  rows: BoardEntry[];
  tier: HolderTier | null;
  onTier: (tier: HolderTier | null) => void;
}

/** Why the page may be out of date: the server does not answer, or sends no live updates. */
export type Trouble = 'api' | 'stream' | null;

/** A placeholder of the same height. */
const UNKNOWN: BoardSummary = { people: 0, holders: 0, bitcoin: 0, tiers: [], block: null };

/** A chart of fewer holders says nothing. */
const FEWEST_HOLDERS = 3;

/** The title of the board, the proven total, and two charts of its distribution. */
export function BoardHead({ summary, rows, tier, onTier }: BoardHeadProps) {
  const shown = summary ?? UNKNOWN;
  const unknown = summary === undefined && 'invisible';
  return (
    <header className="grid items-start gap-x-8 gap-y-1 md:grid-cols-[minmax(0,1fr)_20rem] lg:grid-cols-[minmax(0,1fr)_18rem_16rem]">
      <div className="min-w-0">
        <p className="text-xs font-medium text-muted md:text-[0.8125rem]">Bitcoin Leaderboard</p>
        <PageTitle title="Bitcoin holders who proved it" documentTitle="Bitcoin Leaderboard" className="text-[1.375rem]/7 font-bold md:text-[1.5rem]/8 md:whitespace-nowrap xl:text-[1.75rem]/9" />
        <div className={cx(unknown)}>
          <Sum summary={shown} />
        </div>
      </div>
      <div className={cx(unknown, shown.holders < FEWEST_HOLDERS && (summary ? 'invisible max-md:hidden' : 'invisible'))}>
        <Histogram summary={shown} chosen={tier} onChoose={onTier} />
      </div>
      <div className={cx('hidden lg:block', unknown)}>
        <ShareOfTotal summary={shown} rows={rows} />
      </div>
    </header>
  );
}

function Sum({ summary }: { summary: BoardSummary }) {
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
      <p className="num mt-1 text-xs text-balance text-muted sm:text-sm">
        {summary.holders === 0 ? 'No coins are proven yet.' : `${plural(summary.holders, 'holder')} proved they control these coins. No coins moved.`}
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
