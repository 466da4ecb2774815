import type { BoardSummary } from '../../api/types';
import { cx } from '../../lib/cx';
import { formatCount, plural } from '../../lib/format';
import { HOLDER_TIERS, tierBounds, type HolderTier } from '../../lib/holder-tier';

const TIERS = HOLDER_TIERS.toReversed();

/** The bound of a tier in BTC. */
function boundsOf(tier: HolderTier): string {
  const { from, below } = tierBounds(tier);
  return from > 0 ? `${from}+` : `<${below}`;
}

/** The highest bar. */
const HIGHEST = 40;

/** The height of a tier's bar, on a log scale: one whale stays visible next to a thousand plankton. */
export function barOf(holders: number, most: number): number {
  return holders === 0 ? 0 : Math.round((HIGHEST * (Math.log10(holders) + 0.5)) / (Math.log10(most) + 0.5));
}

interface HistogramProps {
  summary: BoardSummary;
  chosen: HolderTier | null;
  onChoose: (tier: HolderTier | null) => void;
}

/** The number of holders by tier; a press on a bar filters the board. */
export function Histogram({ summary, chosen, onChoose }: HistogramProps) {
  const holders = (tier: HolderTier) => summary.tiers.find(({ name }) => name === tier)?.holders ?? 0;
  const most = Math.max(1, ...TIERS.map(holders));
  return (
    <section>
      <h2 className="text-xs font-semibold">
        Holders by size <span className="font-normal text-muted">BTC, log scale</span>
      </h2>
      <div role="group" aria-label="Holders by size" className="grid grid-cols-6 gap-1">
        {TIERS.map((tier) => (
          <button
            key={tier}
            type="button"
            aria-pressed={chosen === tier}
            title={`${tier}, ${boundsOf(tier)} BTC: ${plural(holders(tier), 'holder')}`}
            onClick={() => onChoose(chosen === tier ? null : tier)}
            className={cx('group flex min-w-0 flex-col items-stretch justify-end rounded-md pt-0.5 text-center transition-colors hover:bg-raised', chosen === tier && 'bg-accent-soft ring-1 ring-accent')}
          >
            <span className="num text-[0.6875rem] leading-4 font-semibold md:text-xs">{formatCount(holders(tier))}</span>
            <svg viewBox="0 0 40 40" preserveAspectRatio="none" aria-hidden="true" className="h-6 w-full -scale-y-100 border-t border-line-strong md:h-14">
              <rect
                width="40"
                height={barOf(holders(tier), most)}
                rx="2"
                className={cx(chosen !== null && chosen !== tier ? 'fill-line-strong' : 'fill-accent', 'group-hover:fill-accent-hover')}
              />
            </svg>
            <span className="text-[0.625rem] leading-3.5 font-medium tracking-tight md:text-[0.6875rem]">{tier}</span>
            <span className="num hidden text-[0.625rem] leading-3.5 text-muted md:block">{boundsOf(tier)}</span>
          </button>
        ))}
      </div>
    </section>
  );
}
