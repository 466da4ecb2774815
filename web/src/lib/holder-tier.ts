/** Where each holder tier begins, in BTC, smallest first. */
const BEGINS = { Plankton: 0, Crab: 0.1, Fish: 1, Dolphin: 10, Shark: 50, Whale: 100 } as const;

export type HolderTier = keyof typeof BEGINS;

/** All of them, smallest first. */
export const HOLDER_TIERS = Object.keys(BEGINS) as HolderTier[];

/** Where the lowest tier ends, in BTC. */
export const LOWEST_ENDS = BEGINS.Crab;

/** The tier of these holdings in BTC; missing holdings are Plankton. */
export function holderTier(btc: number | null | undefined): HolderTier {
  return HOLDER_TIERS.findLast((tier) => (btc ?? 0) >= BEGINS[tier]) ?? 'Plankton';
}

/** Where the tier of these holdings begins, in BTC; null for the lowest. */
export function tierBegins(btc: number | null | undefined): number | null {
  return BEGINS[holderTier(btc)] || null;
}

/** Where a tier begins and ends, in BTC; the largest has no end. */
export function tierBounds(tier: HolderTier): { from: number; below: number | null } {
  const next = HOLDER_TIERS[HOLDER_TIERS.indexOf(tier) + 1];
  return { from: BEGINS[tier], below: next ? BEGINS[next] : null };
}
