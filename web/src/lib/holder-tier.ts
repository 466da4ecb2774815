/** Holder tiers, from the list that the server has too. */
import tiers from '../../../server/board-log/lists/tiers.json';

/** Smallest first, in BTC. The smallest begins with the first satoshi, and shows as if with nothing. */
const TIERS = tiers.toReversed().map(({ name, sats }, at) => ({ name, sats, from: at === 0 ? 0 : sats / 100_000_000 }));

/** The name of one of them. */
export type HolderTier = string;

/** All of them, smallest first. */
export const HOLDER_TIERS: HolderTier[] = TIERS.map(({ name }) => name);

/** Where the lowest tier ends, in BTC. */
export const LOWEST_ENDS = TIERS[1]?.from ?? 0;

const tierOf = (btc: number | null | undefined) => TIERS.findLast(({ from }) => (btc ?? 0) >= from);

/** The tier of these holdings in BTC; missing holdings are of the lowest. */
export function holderTier(btc: number | null | undefined): HolderTier {
  return tierOf(btc)?.name ?? '';
}

/** Where the tier of these holdings begins, in BTC; null for the lowest. */
export function tierBegins(btc: number | null | undefined): number | null {
  return tierOf(btc)?.from || null;
}

/** Where a tier begins and ends, in BTC; the largest has no end. */
export function tierBounds(tier: HolderTier): { from: number; below: number | null } {
  const at = HOLDER_TIERS.indexOf(tier);
  return { from: TIERS[at]?.from ?? 0, below: TIERS[at + 1]?.from ?? null };
}
