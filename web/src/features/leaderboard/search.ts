import { HOLDER_TIERS, type HolderTier } from '../../lib/holder-tier';

/** The leaderboard's state in the address bar: `?q=`, `?verified=1`, `?tier=`, `?u=`. */
export interface BoardSearch {
  q: string;
  verified: boolean;
  tier: HolderTier | null;
  /** The name whose row a shared link leads to. */
  u: string;
}

/** The longest search that is sent. */
export const MAX_SEARCH = 64;

export function readBoardSearch(search: string): BoardSearch {
  const params = new URLSearchParams(search);
  const tier = params.get('tier') ?? '';
  return {
    q: (params.get('q') ?? '').slice(0, MAX_SEARCH),
    verified: params.get('verified') === '1',
    tier: HOLDER_TIERS.find((name) => name.toLowerCase() === tier) ?? null,
    u: params.get('u') ?? '',
  };
}

/** The address of the leaderboard in this state; defaults stay out of it. */
export function boardAddress({ q, verified, tier, u }: BoardSearch): string {
  const params = new URLSearchParams();
  if (q !== '') params.set('q', q);
  if (verified) params.set('verified', '1');
  if (tier !== null) params.set('tier', tier.toLowerCase());
  if (u !== '') params.set('u', u);
  const search = params.toString();
  return search === '' ? '/leaderboard' : `/leaderboard?${search}`;
}
