import type { BoardEntry } from '../../api/board';
import { amountParts, formatCount, formatDate, formatSats, formatUsdShort, NOT_AVAILABLE } from '../../lib/format';
import { holderTier, type HolderTier } from '../../lib/holder-tier';
import { displayName, initial, isLongName, xPage } from '../../lib/names';
import { ownPicture } from '../../lib/picture';
import { bitcoinWords, shownBtc, usdWords } from '../../lib/shown';

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
  /** The name as it is shown, and what of that stands before the name itself. */
  name: string;
  before: string;
  /** In which direction it is written. */
  script: 'ltr' | 'rtl';
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
  /** What is proven, and the zeros behind it. */
  amount: string;
  zeros: string;
  /** How long its bar is, in hundredths: on a log scale. */
  bar: number;
  /** Whether it is known what that is worth, in short and exactly. */
  worth: 'known' | 'unknown';
  usd: string;
  exact: string;
  status: 'verified' | 'unverified';
  /** Whether anybody can check some of it. */
  published: 'some' | 'none';
  /** How much of it, in BTC. */
  part: string;
  /** How long ago that was, and since when. */
  age: string;
  since: string;
}

/** Hebrew, Arabic and their neighbours. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Of a day in UTC, counted from the first of 1970. */
const DAY_MS = 86_400_000;

export const thisDay = () => Math.floor(Date.now() / DAY_MS);

export function rowWords(entry: BoardEntry, price: number | null, today: number): RowWords {
  const { id, username, rank } = entry;
  // One's own row knows more than it says.
  const btc = shownBtc(entry);
  const isRange = entry.shown_as === 'range';
  const verified = isRange ? null : entry.last_verified;
  const [name, page] = [displayName(entry), xPage(entry)];
  const picture = ownPicture(entry.avatar_url);
  const [whole, fraction, zeros] = btc === null || isRange ? [bitcoinWords(entry), '', ''] : amountParts(btc);
  const isKnown = btc !== null && price !== null;
  return {
    id,
    username,
    name,
    before: name.slice(0, name.length - username.length),
    script: FROM_THE_RIGHT.test(username) ? 'rtl' : 'ltr',
    wrap: isLongName(username) ? 'long' : 'short',
    link: page === null ? 'none' : 'x',
    page: page ?? '',
    face: picture === null ? 'initial' : 'picture',
    picture: picture ?? '',
    initial: initial(username),
    stand: rank === null ? 'unranked' : (STANDS[Math.min(rank, 4) - 1] ?? 'behind'),
    rank: rank === null ? NOT_AVAILABLE : formatCount(rank),
    tier: holderTier(btc),
    amount: whole + fraction,
    zeros,
    bar: barLength(btc),
    worth: isKnown ? 'known' : 'unknown',
    usd: usdWords(entry, price, formatUsdShort),
    exact: isKnown ? usdWords(entry, price) : '',
    status: entry.verified ? 'verified' : 'unverified',
    published: entry.published_sats ? 'some' : 'none',
    part: entry.published_sats ? formatSats(entry.published_sats) : '',
    age: verified === null ? '' : ageOf(verified, today),
    since: verified === null ? 'Verified' : `Verified ${formatDate(verified, 'UTC')}`,
  };
}

/** Days counted from midnight to midnight in UTC. */
function ageOf(verified: string, today: number): string {
  const days = today - Math.floor(Date.parse(verified) / DAY_MS);
  return days <= 0 ? 'today' : `${formatCount(days)}d`;
}

/** From 0.001 to 100,000 BTC. */
function barLength(btc: number | null): number {
  if (btc === null) return 0;
  const length = ((Math.log10(Math.round(btc * 1e8)) - 5) / 8) * 100;
  return Math.min(100, Math.max(1, Math.round(length)));
}
