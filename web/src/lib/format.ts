/** Formats amounts, sizes and times. Amounts always have eight decimals; nothing here rounds sats. */

const LOCALE = 'en-US';
const SATS_PER_BTC = 100_000_000n;

/** Shown for a missing number. */
export const NOT_AVAILABLE = 'N/A';

/** Sats as BTC with exactly eight decimals, by integer arithmetic, and with thousands separators. */
export function formatSats(sats: bigint | number): string {
  const value = BigInt(sats);
  const magnitude = value < 0n ? -value : value;
  const fraction = (magnitude % SATS_PER_BTC).toString().padStart(8, '0');
  return `${value < 0n ? '-' : ''}${formatCount(magnitude / SATS_PER_BTC)}.${fraction}`;
}

/** The same without zeros at the end, for headings: 2.25. */
export function formatSatsShort(sats: bigint | number): string {
  return formatSats(sats).replace(/\.?0+$/, '');
}

/** BTC as the API sends it, with exactly eight decimals, or N/A. 21e14 sats fit a double exactly. */
export function formatBtc(btc: number | null | undefined): string {
  return btc === null || btc === undefined ? NOT_AVAILABLE : formatSats(Math.round(btc * Number(SATS_PER_BTC)));
}

/** The same for texts and pictures to share: two decimals, below 0.01 BTC the first two digits; cut, so that it is never more than is proven. */
export function formatBtcShort(btc: number): string {
  const text = formatBtc(btc);
  return text.slice(0, btc < 0.01 ? text.search(/[1-9]/) + 2 : text.indexOf('.') + 3);
}

const usd = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 2,
  trailingZeroDisplay: 'stripIfInteger',
});

/** Dollars with up to two decimals: none when the amount is whole. */
export function formatUsd(amount: number): string {
  return usd.format(amount);
}

/** The USD column: N/A without holdings, 'Loading...' while the price is unknown. */
export function formatUsdValue(btc: number | null, price: number | null): string {
  if (btc === null) return NOT_AVAILABLE;
  return price === null ? 'Loading...' : formatUsd(btc * price);
}

const usdShort = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
  roundingMode: 'trunc',
  useGrouping: 'always',
});

/** Dollars with three digits from a thousand on, and never more than there are: `$2.05B`. */
export function formatUsdShort(amount: number): string {
  return amount < 1000 ? formatUsd(amount) : usdShort.format(amount);
}

/** An amount in BTC in three parts: up to its point, from there to its last digit that is not zero, and the zeros after that. */
export function amountParts(btc: number): [whole: string, fraction: string, zeros: string] {
  const [whole = '', decimals = ''] = btc.toFixed(8).split('.');
  const digits = decimals.replace(/0+$/, '');
  const zeros = decimals.slice(digits.length);
  return digits === '' ? [formatCount(BigInt(whole)), '', `.${zeros}`] : [formatCount(BigInt(whole)), `.${digits}`, zeros];
}

const count = new Intl.NumberFormat(LOCALE);

/** A whole number with thousands separators. */
export function formatCount(value: number | bigint): string {
  return count.format(value);
}

/** A file size in KB with two decimals. */
export function formatFileSize(bytes: number): string {
  return `${(bytes / 1024).toFixed(2)} KB`;
}

/** A size limit in whole or tenth MiB. */
export function formatMebibytes(bytes: number): string {
  return `${Number((bytes / 1024 / 1024).toFixed(1))} MiB`;
}

/** A day, such as `Nov 21, 2026`, in the reader's time zone unless one is named. */
export function formatDate(iso: string | Date, timeZone?: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone }).format(new Date(iso));
}

/** A day with hours and minutes. */
export function formatDateTime(iso: string | Date, timeZone?: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(iso));
}

/** Hours and minutes. */
export function formatTime(time: Date): string {
  return new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' }).format(time);
}

/** A duration in whole seconds: `8 s`, `2 min 5 s`. */
export function formatElapsed(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${formatCount(minutes)} min ${seconds % 60} s`;
}

/** An identifier with its middle left out: `4f2a91c0…88d1e0aa`. */
export function shorten(id: string, keep = 8): string {
  return id.length <= keep * 2 + 1 ? id : `${id.slice(0, keep)}…${id.slice(-keep)}`;
}

/** `1 input`, `2 inputs`. */
export function plural(n: number, noun: string): string {
  return `${formatCount(n)} ${noun}${n === 1 ? '' : 's'}`;
}

/** Lock time in words (BIP-65: below 500,000,000 a block height, otherwise a time). */
export function formatLockTime(lockTime: number): string {
  if (lockTime === 0) return 'None';
  if (lockTime < 500_000_000) return `Block ${formatCount(lockTime)}`;
  return formatDateTime(new Date(lockTime * 1000));
}
