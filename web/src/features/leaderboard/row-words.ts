import type { BoardEntry } from '../../api/board';
import { formatBtc, formatCount, formatUsdValue, NOT_AVAILABLE } from '../../lib/format';
import { holderTier, type HolderTier } from '../../lib/holder-tier';
import { displayName, initial, isLongName, xPage } from '../../lib/names';
import { ownPicture } from '../../lib/picture';

/** Where somebody stands: trophies are for the first three ranks. */
export const STANDS = ['first', 'second', 'third', 'behind', 'unranked'] as const;
export type Stand = (typeof STANDS)[number];

/**
 * What a row of the leaderboard says. The server says the same in the first page (`row_words` there); `row-words.json` has
 * examples that both are tested with.
 */
export interface RowWords {
  id: string;
  username: string;
  /** The name as it is shown. */
  name: string;
  wrap: 'short' | 'long';
  /** Whether the name leads to a page on X, and where that is. */
  link: 'x' | 'none';
  page: string;
  /** What stands for the person, the picture or a letter, and both. */
  face: 'picture' | 'initial';
  picture: string;
  initial: string;
  stand: Stand;
  rank: string;
  tier: HolderTier;
  bitcoin: string;
  usd: string;
  status: 'verified' | 'unverified';
}

export function rowWords(entry: BoardEntry, price: number | null): RowWords {
  const { id, username, rank, bitcoin_holdings: btc } = entry;
  const page = xPage(entry);
  const picture = ownPicture(entry.avatar_url);
  return {
    id,
    username,
    name: displayName(entry),
    wrap: isLongName(username) ? 'long' : 'short',
    link: page === null ? 'none' : 'x',
    page: page ?? '',
    face: picture === null ? 'initial' : 'picture',
    picture: picture ?? '',
    initial: initial(username),
    stand: rank === null ? 'unranked' : (STANDS[Math.min(rank, 4) - 1] ?? 'behind'),
    rank: rank === null ? NOT_AVAILABLE : formatCount(rank),
    tier: holderTier(btc),
    bitcoin: formatBtc(btc),
    usd: formatUsdValue(btc, price),
    status: entry.verified ? 'verified' : 'unverified',
  };
}
