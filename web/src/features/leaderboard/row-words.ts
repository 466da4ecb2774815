import type { BoardEntry } from '../../api/board';
import { amountParts, formatCount, formatDate, formatSats, formatUsdShort, NOT_AVAILABLE } from '../../lib/format';
import { holderTier, type HolderTier } from '../../lib/holder-tier';
import { displayName, initial, xPage } from '../../lib/names';
import { ownPicture } from '../../lib/picture';
import { bitcoinWords, shownBtc, usdWords } from '../../lib/shown';

/** What a row of the leaderboard says. */
export interface RowWords {
  /** The name as it is shown, and what of that stands before the name itself. */
  name: string;
  before: string;
  fromTheRight: boolean;
  /** The name's page on X; null for other names. */
  page: string | null;
  /** What stands for the person: the picture, or a letter while there is none. */
  picture: string | null;
  initial: string;
  rank: string;
  tier: HolderTier;
  /** What is proven, and the zeros behind it. */
  amount: string;
  zeros: string;
  /** How long its bar is, in hundredths: on a log scale. */
  bar: number;
  /** What that is worth, in short and exactly; the latter is null while it is not known. */
  usd: string;
  exact: string | null;
  /** How much of it anyone can check, in BTC; null where nothing is published. */
  published: string | null;
  /** How long ago it was verified, and since when. */
  age: string;
  since: string;
}

/** Hebrew, Arabic and their neighbours. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Of a day in UTC, counted from the first of 1970. */
const DAY_MS = 86_400_000;

export const thisDay = () => Math.floor(Date.now() / DAY_MS);

export function rowWords(entry: BoardEntry, price: number | null, today: number): RowWords {
  const { username, rank } = entry;
  // One's own row knows more than it says.
  const btc = shownBtc(entry);
  const isRange = entry.shown_as === 'range';
  const verified = isRange ? null : entry.last_verified;
  const name = displayName(entry);
  const [whole, fraction, zeros] = btc === null || isRange ? [bitcoinWords(entry), '', ''] : amountParts(btc);
  return {
    name,
    before: name.slice(0, name.length - username.length),
    fromTheRight: FROM_THE_RIGHT.test(username),
    page: xPage(entry),
    picture: ownPicture(entry.avatar_url),
    initial: initial(username),
    rank: rank === null ? NOT_AVAILABLE : formatCount(rank),
    tier: holderTier(btc),
    amount: whole + fraction,
    zeros,
    bar: barLength(btc),
    usd: usdWords(entry, price, formatUsdShort),
    exact: btc === null || price === null ? null : usdWords(entry, price),
    published: entry.published_sats ? formatSats(entry.published_sats) : null,
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
