import type { BoardSummary } from '../../api/types';
import { cx } from '../../lib/cx';
import { formatCount } from '../../lib/format';
import { HOLDER_TIERS, tierBounds, type HolderTier } from '../../lib/holder-tier';

const TIERS = HOLDER_TIERS.toReversed();

/** Where a tier begins or ends, for whoever does not know the animals. */
function boundsOf(tier: HolderTier): string {
  const { from, below } = tierBounds(tier);
  return from > 0 ? `${from}+` : `<${below}`;
}

/** The highest bar. */
const HIGHEST = 40;

/** The height of a tier's bar. A tier with a single holder has one too. */
const barOf = (holders: number, most: number) => (holders === 0 ? 0 : Math.max(2, Math.floor((holders * HIGHEST) / most)));

interface HistogramProps {
  summary: BoardSummary;
  chosen: HolderTier | null;
  onChoose: (tier: HolderTier | null) => void;
}

/** How many holders are of each tier; each bar shows those alone. */
export function Histogram({ summary, chosen, onChoose }: HistogramProps) {
  const holders = (tier: HolderTier) => summary.tiers.find(({ name }) => name === tier)?.holders ?? 0;
  const most = Math.max(1, ...TIERS.map(holders));
  return (
    <div role="group" aria-label="Holders by size" className="grid grid-cols-6 gap-1 md:gap-1.5">
      {TIERS.map((tier) => (
        <button
          key={tier}
          type="button"
          aria-pressed={chosen === tier}
          onClick={() => onChoose(chosen === tier ? null : tier)}
          className={cx(
            'group flex min-w-0 flex-col items-stretch rounded-md p-1 text-center transition-colors hover:bg-raised',
            chosen === tier && 'bg-accent-soft ring-1 ring-accent',
          )}
        >
          <svg viewBox="0 0 40 40" preserveAspectRatio="none" aria-hidden="true" className="h-5 w-full -scale-y-100 border-t border-line md:h-14">
            <rect
              width="40"
              height={barOf(holders(tier), most)}
              className={cx(chosen !== null && chosen !== tier ? 'fill-line-strong' : 'fill-accent', 'group-hover:fill-accent-hover')}
            />
          </svg>
          <span className="num mt-0.5 text-xs leading-4 font-semibold md:text-sm md:leading-5">{formatCount(holders(tier))}</span>
          <span className="truncate text-[0.625rem] leading-3 text-muted sm:text-xs sm:leading-4">{tier}</span>
          <span className="num hidden text-[0.6875rem] leading-4 text-faint md:block">{boundsOf(tier)} BTC</span>
        </button>
      ))}
    </div>
  );
}
