/** Holder tiers by verified BTC, largest first. */
const TIERS = [
  { name: 'Whale', from: 100 },
  { name: 'Shark', from: 50 },
  { name: 'Dolphin', from: 10 },
  { name: 'Fish', from: 1 },
  { name: 'Crab', from: 0.1 },
] as const;

/** Where the lowest tier ends, in BTC. */
export const LOWEST_ENDS = 0.1;

/** All of them, smallest first. */
export const HOLDER_TIERS = ['Plankton', 'Crab', 'Fish', 'Dolphin', 'Shark', 'Whale'] as const;

export type HolderTier = (typeof HOLDER_TIERS)[number];

/** The tier of these holdings in BTC; missing holdings are Plankton. */
export function holderTier(btc: number | null | undefined): HolderTier {
  return tierOf(btc)?.name ?? 'Plankton';
}

/** Where the tier of these holdings begins, in BTC; null for the lowest. */
export function tierBegins(btc: number | null | undefined): number | null {
  return tierOf(btc)?.from ?? null;
}

function tierOf(btc: number | null | undefined) {
  return TIERS.find((tier) => (btc ?? 0) >= tier.from);
}

/** Where a tier begins and ends, in BTC; the largest has no end. */
export function tierBounds(name: HolderTier): { from: number; below: number | null } {
  const at = TIERS.findIndex((tier) => tier.name === name);
  return { from: TIERS[at]?.from ?? 0, below: (at === -1 ? TIERS.at(-1) : TIERS[at - 1])?.from ?? null };
}
