import type { BoardEntry } from '../../api/board';
import { amountParts, formatCount, formatDate, formatSats, formatUsdShort, NOT_AVAILABLE } from '../../lib/format';
import { PROOF_DAYS } from '../../lib/expiry';
import { holderTier } from '../../lib/holder-tier';
import { displayName, initial, handlePage } from '../../lib/names';
import { ownPicture } from '../../lib/picture';
import { bitcoinWords, shownBtc, usdWords } from '../../lib/shown';

/** Hebrew, Arabic and other scripts written from the right. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

const DAY_MS = 86_400_000;

/** The day in UTC, counted from the first of 1970. */
export const thisDay = () => Math.floor(Date.now() / DAY_MS);

/** The texts of a row. */
export function rowWords(entry: BoardEntry, price: number | null, today: number) {
  const { username, rank } = entry;
  // The reader's own row knows more than others see.
  const btc = shownBtc(entry);
  const isRange = entry.shown_as === 'range';
  const verified = isRange ? null : entry.last_verified;
  const name = displayName(entry);
  const [units, fraction, zeros] = btc === null || isRange ? [bitcoinWords(entry), '', ''] : amountParts(btc);
  return {
    /** The shown name, and its prefix (`@`, `github:`). */
    name,
    before: name.slice(0, name.length - username.length),
    fromTheRight: FROM_THE_RIGHT.test(username),
    /** The holder's page on X; null for other names. */
    page: handlePage(entry),
    /** The picture, and the letter that replaces a missing one. */
    picture: ownPicture(entry.avatar_url),
    initial: initial(username),
    rank: rank === null ? NOT_AVAILABLE : formatCount(rank),
    tier: holderTier(btc),
    /** The proven amount, and its trailing zeros. */
    amount: units + fraction,
    zeros,
    /** Its value in dollars, short and exact; the latter is null while unknown. */
    usd: usdWords(entry, price, formatUsdShort),
    exact: btc === null || price === null ? null : usdWords(entry, price),
    /** How much of it is published, in BTC; null where nothing is. */
    published: entry.published_sats ? formatSats(entry.published_sats) : null,
    /** Days since it was verified, and the date. */
    age: verified === null ? '' : ageOf(verified, today),
    since: verified === null ? 'Verified' : `Verified ${formatDate(verified, 'UTC')}`,
    /** When the proof ends, if that is soon. */
    ends: verified === null ? null : endOf(verified, today),
  };
}

export type RowWords = ReturnType<typeof rowWords>;

/** Days counted from midnight to midnight in UTC. */
function ageOf(verified: string, today: number): string {
  const days = today - Math.floor(Date.parse(verified) / DAY_MS);
  return days <= 0 ? 'today' : `${formatCount(days)}d`;
}

/** The age as words: `today`, `3d ago`. */
export const sinceWords = (age: string) => (/\d/.test(age) ? `${age} ago` : age);

/** The row names the end in a proof's last days. */
const SOON = 5;

function endOf(verified: string, today: number): string | null {
  const days = Math.floor(Date.parse(verified) / DAY_MS) + PROOF_DAYS - today;
  return days > SOON ? null : days <= 0 ? 'ends today' : `ends in ${days}d`;
}
