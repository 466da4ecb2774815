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

/** The height of a tier's bar from 0 to 1, on a log scale: one whale stays visible next to a thousand plankton. */
export function barOf(holders: number, most: number): number {
  return holders === 0 ? 0 : (Math.log10(holders) + 0.5) / (Math.log10(most) + 0.5);
}

/** The number of holders by tier; a press on a bar filters the board. */
export function Histogram({ summary, chosen, onChoose }: { summary: BoardSummary; chosen: HolderTier | null; onChoose: (tier: HolderTier | null) => void }) {
  const holders = (tier: HolderTier) => summary.tiers.find(({ name }) => name === tier)?.holders ?? 0;
  const most = Math.max(1, ...TIERS.map(holders));
  return (
    <section>
      <div role="group" aria-label="Holders by size" className="grid auto-cols-fr grid-flow-col gap-1 [--highest:1.5rem] md:[--highest:3.5rem]">
        {TIERS.map((tier) => (
          <button
            key={tier}
            type="button"
            aria-pressed={chosen === tier}
            title={`${tier}, ${boundsOf(tier)} BTC: ${plural(holders(tier), 'holder')}`}
            onClick={() => onChoose(chosen === tier ? null : tier)}
            className={cx('group flex min-h-14 min-w-0 flex-col items-stretch justify-end rounded-md pt-0.5 md:min-h-22 text-center transition-colors hover:bg-raised', chosen === tier && 'bg-accent-soft ring-1 ring-accent ring-inset')}
          >
            <span className="num text-[0.6875rem] leading-4 font-semibold md:text-xs">{formatCount(holders(tier))}</span>
            <span
              style={{ height: `calc(var(--highest) * ${barOf(holders(tier), most)})` }}
              className={cx('rounded-t-sm', chosen !== null && chosen !== tier ? 'bg-line-strong' : 'bg-accent', 'group-hover:bg-accent-hover')}
            />
            <span className="border-t border-line-strong text-[0.625rem] leading-3.5 font-medium tracking-tight md:text-[0.6875rem]">{tier}</span>
          </button>
        ))}
      </div>
    </section>
  );
}
