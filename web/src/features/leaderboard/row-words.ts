import type { BoardEntry } from '../../api/board';
import { amountParts, formatCount, formatDate, formatSats, formatUsdShort, NOT_AVAILABLE } from '../../lib/format';
import { PROOF_DAYS } from '../../lib/expiry';
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
  /** What of everything that is proven it is; nothing where that is not known. */
  share: string;
  /** What that is worth, in short and exactly; the latter is null while it is not known. */
  usd: string;
  exact: string | null;
  /** How much of it anyone can check, in BTC; null where nothing is published. */
  published: string | null;
  /** How long ago it was verified, and since when. */
  age: string;
  since: string;
  /** When it ends, where that is soon. */
  ends: string | null;
}

/** Hebrew, Arabic and their neighbours. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Of a day in UTC, counted from the first of 1970. */
const DAY_MS = 86_400_000;

export const thisDay = () => Math.floor(Date.now() / DAY_MS);

export function rowWords(entry: BoardEntry, price: number | null, today: number, whole: number | null = null): RowWords {
  const { username, rank } = entry;
  // One's own row knows more than it says.
  const btc = shownBtc(entry);
  const isRange = entry.shown_as === 'range';
  const verified = isRange ? null : entry.last_verified;
  const name = displayName(entry);
  const [units, fraction, zeros] = btc === null || isRange ? [bitcoinWords(entry), '', ''] : amountParts(btc);
  return {
    name,
    before: name.slice(0, name.length - username.length),
    fromTheRight: FROM_THE_RIGHT.test(username),
    page: xPage(entry),
    picture: ownPicture(entry.avatar_url),
    initial: initial(username),
    rank: rank === null ? NOT_AVAILABLE : formatCount(rank),
    tier: holderTier(btc),
    amount: units + fraction,
    zeros,
    share: shareOf(btc, whole),
    usd: usdWords(entry, price, formatUsdShort),
    exact: btc === null || price === null ? null : usdWords(entry, price),
    published: entry.published_sats ? formatSats(entry.published_sats) : null,
    age: verified === null ? '' : ageOf(verified, today),
    since: verified === null ? 'Verified' : `Verified ${formatDate(verified, 'UTC')}`,
    ends: verified === null ? null : endOf(verified, today),
  };
}

/** Days counted from midnight to midnight in UTC. */
function ageOf(verified: string, today: number): string {
  const days = today - Math.floor(Date.parse(verified) / DAY_MS);
  return days <= 0 ? 'today' : `${formatCount(days)}d`;
}

/** Days before its end from which on that is said. */
const SOON = 5;

function endOf(verified: string, today: number): string | null {
  const days = Math.floor(Date.parse(verified) / DAY_MS) + PROOF_DAYS - today;
  return days > SOON ? null : days <= 0 ? 'ends today' : `ends in ${days}d`;
}

function shareOf(btc: number | null, whole: number | null): string {
  if (btc === null || !whole) return '';
  const percent = (btc * 100) / whole;
  return percent < 0.05 ? '<0.1%' : `${percent.toFixed(1)}%`;
}
