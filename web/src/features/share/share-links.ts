import type { Profile } from '../../api/types';
import { displayName, sharedName } from '../../lib/names';
import { spokenAmount } from '../../lib/shown';

/** What is shared of a holder. */
export type Shared = Pick<Profile, 'username' | 'provider' | 'named' | 'rank' | 'bitcoin_holdings' | 'shown_as'>;

/** The address that leads readers to the holder's row of the leaderboard. */
export const rowAddress = (profile: Pick<Profile, 'username' | 'provider'>, origin: string) =>
  `${origin}/leaderboard?${new URLSearchParams({ u: sharedName(profile) })}`;

/** The picture of the public row, which links to it show too. */
export const cardAddress = (profile: Pick<Profile, 'username' | 'provider'>) => `/card/${encodeURIComponent(sharedName(profile))}.png`;

/** The post's text: the rank, and the BTC held with two decimals, or what is shown of them. */
export function shareText(profile: Shared, isOwn: boolean): string {
  const who = isOwn ? "I'm" : `${displayName(profile)} is`;
  const holding = spokenAmount({ ...profile, bitcoin_holdings: profile.bitcoin_holdings ?? 0 });
  return profile.rank === null
    ? `${who} on the Bitcoin Leaderboard of Proof of Reserves.`
    : `${who} ranked #${profile.rank} on the Bitcoin Leaderboard with ${holding} of proven holdings.`;
}

/** The address that opens X with the post ready. */
export const postAddress = (profile: Shared, isOwn: boolean, origin: string) =>
  `https://x.com/intent/tweet?${new URLSearchParams({ text: shareText(profile, isOwn), url: rowAddress(profile, origin) })}`;
