/** Holder tiers by verified BTC, largest first. */
const TIERS = [
  { name: 'Whale', from: 100 },
  { name: 'Shark', from: 50 },
  { name: 'Dolphin', from: 10 },
  { name: 'Fish', from: 1 },
  { name: 'Crab', from: 0.1 },
] as const;

/** All of them, smallest first. */
export const HOLDER_TIERS = ['Plankton', 'Crab', 'Fish', 'Dolphin', 'Shark', 'Whale'] as const;

export type HolderTier = (typeof HOLDER_TIERS)[number];

/** The tier of these holdings in BTC; missing holdings are Plankton. */
export function holderTier(btc: number | null | undefined): HolderTier {
  return TIERS.find((tier) => (btc ?? 0) >= tier.from)?.name ?? 'Plankton';
}
