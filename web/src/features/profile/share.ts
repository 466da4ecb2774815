import type { Profile } from '../../api/types';
import { displayName, sharedName } from '../../lib/names';

type Shared = Pick<Profile, 'username' | 'provider' | 'rank' | 'bitcoin_holdings'>;

/** The post's text: the rank, and the BTC held with two decimals. */
export function shareText(profile: Shared, isOwn: boolean): string {
  const who = isOwn ? "I'm" : `${displayName(profile)} is`;
  const holding = `${(profile.bitcoin_holdings ?? 0).toFixed(2)} BTC`;
  return profile.rank === null
    ? `${who} on the Bitcoin Leaderboard of Proof of Reserves.`
    : `${who} ranked #${profile.rank} on the Bitcoin Leaderboard with ${holding} of proven holdings.`;
}

/** The address that opens X with the post ready; it leads readers to the person's row of the leaderboard. */
export function shareAddress(profile: Shared, isOwn: boolean, origin: string): string {
  const url = `${origin}/leaderboard?${new URLSearchParams({ u: sharedName(profile) })}`;
  return `https://x.com/intent/tweet?${new URLSearchParams({ text: shareText(profile, isOwn), url })}`;
}
