import { HOLDER_TIERS, type HolderTier } from '../lib/holder-tier';

/** How much higher each bar of the meter is than the one before. */
const STEP = 8 / (HOLDER_TIERS.length - 1);

/** The holder tier, with a meter that fills from the smallest to the largest. */
export function HolderBadge({ tier }: { tier: HolderTier }) {
  const level = HOLDER_TIERS.indexOf(tier) + 1;
  return (
    <span className="inline-flex items-center gap-1.5 rounded-full border border-line px-2 py-0.5 align-middle text-xs font-medium whitespace-nowrap text-muted">
      <svg viewBox={`0 0 ${HOLDER_TIERS.length * 3 - 1} 10`} className="hidden h-2.5 w-4 sm:block" aria-hidden="true">
        {HOLDER_TIERS.map((name, index) => (
          <rect
            key={name}
            x={index * 3}
            y={8 - index * STEP}
            width="2"
            height={2 + index * STEP}
            rx="0.5"
            className={index < level ? 'fill-accent' : 'fill-line'}
          />
        ))}
      </svg>
      {tier}
    </span>
  );
}
