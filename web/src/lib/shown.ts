/** What others see of a total: the exact amount, or its holder tier. The server has the same rules (`board/person.rs`). */
import { formatBtc, formatBtcShort, formatUsd, formatUsdValue, NOT_AVAILABLE } from './format';
import { LOWEST_ENDS, tierBegins } from './holder-tier';

export interface Shown {
  /** In BTC. For a range, other users get the lower bound of the tier. */
  bitcoin_holdings: number | null;
  shown_as: 'exact' | 'range';
}

/** The shown amount without its unit: `1.25000000`, `at least 1`, `under 0.1`, `N/A`. */
export function amountWords({ bitcoin_holdings: btc, shown_as: shownAs }: Shown): string {
  if (btc === null || shownAs === 'exact') return formatBtc(btc);
  const begins = tierBegins(btc);
  return begins === null ? `under ${LOWEST_ENDS}` : `at least ${begins}`;
}

/** The same in a column of amounts, where a range has its unit. */
export function bitcoinWords(shown: Shown): string {
  const words = amountWords(shown);
  return isRange(shown) ? `${words} BTC` : words;
}

/** What others see in BTC, which decides the position. The lowest tier begins with one sat. */
export function shownBtc(shown: Shown): number | null {
  return isRange(shown) ? (tierBegins(shown.bitcoin_holdings) ?? 0.00000001) : shown.bitcoin_holdings;
}

/** The value in dollars; for a range that of its bound. */
export function usdWords(shown: Shown, price: number | null, format = formatUsd): string {
  const { bitcoin_holdings: btc } = shown;
  if (btc === null || price === null) return formatUsdValue(btc, price);
  if (!isRange(shown)) return format(btc * price);
  const begins = tierBegins(btc);
  return begins === null ? `under ${format(LOWEST_ENDS * price)}` : `${format(begins * price)}+`;
}

/** The amount in running text: `1.25 BTC`, `at least 1 BTC`. */
export function spokenAmount(shown: Shown): string {
  if (shown.bitcoin_holdings === null) return NOT_AVAILABLE;
  return isRange(shown) ? bitcoinWords(shown) : `${formatBtcShort(shown.bitcoin_holdings)} BTC`;
}

/** A rank in percent of all holders, rounded up; null where that says little. */
export function topPercent(rank: number, holders: number): number | null {
  const percent = Math.max(1, Math.ceil((rank * 100) / holders));
  return holders < 10 || percent > 50 ? null : percent;
}

function isRange({ bitcoin_holdings: btc, shown_as: shownAs }: Shown): boolean {
  return btc !== null && shownAs === 'range';
}
