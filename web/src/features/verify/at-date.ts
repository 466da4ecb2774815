/** What a date shows, in words: screens and the report say the same. */
import { formatCount, formatSats, plural } from '../../lib/format';
import { spokenInstant, utcTime } from '../../lib/instant';
import type { BlockTimes, CoinAtDate } from '../../psbt';
import type { AtDate } from './judge';
import { told, type Told } from './told';

/** An instant with its zone, and in UTC when that is another. */
export function dateText({ text, seconds }: Pick<AtDate, 'text' | 'seconds'>): string {
  return text.endsWith('Z') ? spokenInstant(text) : `${spokenInstant(text)} (${utcTime(seconds)})`;
}

/** A block with both of its times. */
export function blockText({ height, time, medianTime }: BlockTimes): string {
  return `block ${formatCount(height)} (its time ${utcTime(time)}, median time past ${utcTime(medianTime)})`;
}

/** In words for each coin; `stands` when it is in the sum. */
export const AT_DATE: Record<CoinAtDate, { word: string; tone: 'positive' | 'warning' | 'neutral' }> = {
  stood: { word: 'Stood at the date', tone: 'positive' },
  'spent-since': { word: 'Stood, spent since', tone: 'warning' },
  'spent-before-signing': { word: 'Spent before the signature', tone: 'warning' },
  'funded-later': { word: 'Received after the date', tone: 'neutral' },
  'funded-between': { word: 'Received too near the date', tone: 'neutral' },
  'spent-before': { word: 'Spent before the date', tone: 'neutral' },
  'spent-between': { word: 'Spent too near the date', tone: 'neutral' },
  unconfirmed: { word: 'In no block yet', tone: 'neutral' },
  unknown: { word: 'The source cannot say', tone: 'warning' },
};

/** How many coins there are of each kind, the usual order first. */
export function countsAtDate(coins: readonly CoinAtDate[]): [kind: CoinAtDate, count: number][] {
  const kinds = Object.keys(AT_DATE) as CoinAtDate[];
  return kinds.map((kind): [CoinAtDate, number] => [kind, coins.filter((coin) => coin === kind).length]).filter(([, count]) => count > 0);
}

/** The result for the coins, as one or two sentences. */
export function coinsAtDate(at: AtDate, host: string): Told {
  const { verdict } = at;
  const stood = verdict.coins.filter((coin) => coin === 'stood').length;
  const since = verdict.coins.filter((coin) => coin === 'spent-since').length;
  switch (verdict.reason) {
    case 'not-yet':
      return told`Not yet: ${dateText(at)} needs six blocks after it. Check again later.`;
    case 'cannot-say':
      return told`${host} can’t say when some coins were spent. Choose another source, or ask your own node.`;
    case 'nothing-stood':
      return told`None of the coins stood at ${dateText(at)}, says ${host}.`;
    case 'spent-since':
      return told`${plural(since, 'coin')} with ${formatSats(verdict.sinceSats)} BTC stood at ${dateText(at)} and were spent since; the signature may be later. No coin counts.`;
    default: {
      const rest = verdict.coins.length - stood;
      const others = rest > 0 ? ` ${plural(rest, 'other coin')} ${rest === 1 ? 'is' : 'are'} not in this sum.` : '';
      return told`At least ${formatSats(verdict.stoodSats)} BTC in ${plural(stood, 'coin')} stood at ${dateText(at)}, says ${host}.${others}`;
    }
  }
}

/** What is known of the signature. `date`: the block after which it was made; null when nothing dates it. */
export function signedAtDate({ verdict, bounds }: AtDate, date: string | null, host: string): { state: 'right' | 'open'; found: Told } {
  if (!date || verdict.reason === 'not-dated') return { state: 'open', found: told`Not dated: ${host} doesn’t have a block that shows when it was signed.` };
  if (verdict.reason === 'too-new') return { state: 'open', found: told`Too new: signed after ${date}, which has fewer than six blocks above it. Check again later.` };
  if (verdict.reason === 'old') return { state: 'open', found: told`Old: signed after ${date}, too long before the date. Ask for a new one.` };
  const upper = bounds.upper ? `The date’s last block is ${formatCount(bounds.upper.height)}: ` : '';
  const when = verdict.control === 'later' ? 'control was shown later than the date.' : 'the keys signed before or after the date.';
  return { state: 'right', found: [...told`Signed after ${date}. `, upper ? upper + when : when] };
}
