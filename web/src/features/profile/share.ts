import type { Profile } from '../../api/types';
import { displayName, sharedName } from '../../lib/names';
import { spokenAmount } from '../../lib/shown';

type Shared = Pick<Profile, 'username' | 'provider' | 'named' | 'rank' | 'bitcoin_holdings' | 'shown_as'>;

/** The post's text: the rank, and the BTC held with two decimals, or what is shown of them. */
export function shareText(profile: Shared, isOwn: boolean): string {
  const who = isOwn ? "I'm" : `${displayName(profile)} is`;
  const holding = spokenAmount({ ...profile, bitcoin_holdings: profile.bitcoin_holdings ?? 0 });
  return profile.rank === null
    ? `${who} on the Bitcoin Leaderboard of Proof of Reserves.`
    : `${who} ranked #${profile.rank} on the Bitcoin Leaderboard with ${holding} of proven holdings.`;
}

/** The address that opens X with the post ready; it leads readers to the person's row of the leaderboard. */
export function shareAddress(profile: Shared, isOwn: boolean, origin: string): string {
  const url = `${origin}/leaderboard?${new URLSearchParams({ u: sharedName(profile) })}`;
  return `https://x.com/intent/tweet?${new URLSearchParams({ text: shareText(profile, isOwn), url })}`;
}
