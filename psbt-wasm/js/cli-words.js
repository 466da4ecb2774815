// What `psbt-wasm verify` says, and how it says it.

export const [RIGHT, FALSE, UNCHECKED] = [0, 1, 2];

/** The word in `--json` for each status. */
export const RESULTS = ['right', 'false', 'unchecked'];

/** The proof is false. */
export class Falsehood extends Error {}

/** Something could not be checked. */
export class Unchecked extends Error {}

/** As JSON, in which no control character reaches the terminal. */
export const quoted = (value) => JSON.stringify(value).replaceAll(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, (letter) => `\\u${letter.codePointAt(0).toString(16).padStart(4, '0')}`);

export const bitcoin = (sats) => `${sats / 100_000_000n}.${String(sats % 100_000_000n).padStart(8, '0')} BTC`;
export const day = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 10);
export const inCoins = (count) => `${count} ${count === 1 ? 'coin' : 'coins'}`;

/** For example `2026-12-31 23:00:00 UTC`. Years that dates do not have stay numbers. */
export function utc(seconds) {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `Unix time ${seconds}` : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** For example `1, 2 and 3`. */
function listed(numbers) {
  return numbers.length < 2 ? numbers.join('') : `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}

/** How many keys have signed for a multisig coin, and what else its script asks for. */
export function conditionsIn(conditions) {
  if (conditions === null) return 'Who can spend cannot be seen in the script';
  const { needed, of, signed, lockTime, sequence, hidden } = conditions;
  const [noun, verb] = needed === 1 ? ['key', 'is'] : ['keys', 'are'];
  const keys = of === 1 ? 'One key, which signed' : `${signed.length === 1 ? 'Key' : 'Keys'} ${listed(signed)} of ${of} signed; ${needed} ${noun} ${verb} needed`;
  const parts = [keys];
  if (lockTime !== null) parts.push(`locked until ${lockTime < 500_000_000 ? `block ${lockTime}` : utc(lockTime)}`);
  if (sequence !== null) parts.push(sequence & (1 << 22) ? `locked for ${512 * (sequence & 0xffff)} seconds` : `locked for ${sequence & 0xffff} blocks`);
  if (hidden) parts.push('other ways to spend cannot be seen');
  return parts.join('; ');
}

/** Why a coin is not in the sum at a date. */
const STATES = {
  'spent-since': 'spent since; the signature may be later',
  'spent-before-signing': 'spent before it was signed, so control was never shown while it existed',
  'funded-later': 'funded after the date',
  'funded-between': 'funded between the two blocks of the date',
  'spent-before': 'spent before the date',
  'spent-between': 'spent between the two blocks of the date',
  unconfirmed: 'in no block',
  unknown: 'the source does not say when it was spent',
};

/** Lines about the coins at a date that are not in the sum: how many for each reason, and what they are worth. */
export function othersAt(coins) {
  const lines = [];
  for (const [state, words] of Object.entries(STATES)) {
    const own = coins.filter((coin) => coin.state === state);
    const sats = own.reduce((sum, { valueSats }) => sum + valueSats, 0n);
    if (own.length > 0) lines.push(`Not in the sum: ${bitcoin(sats)} in ${inCoins(own.length)}, ${words}.`);
  }
  return lines;
}

/** What a reason of `judgeDate` means. */
export const DATE_REASONS = {
  'nothing-stood': 'no coin of it was there at the date and when it was signed.',
  'not-yet': 'the date is in the future, or has fewer than six blocks above it. Check again later.',
  'not-dated': 'nothing shows when it was signed. Ask for a new proof.',
  'too-new': 'it is too new: its block has fewer than six blocks above it. Check again later.',
  old: 'it is old at this date: more than 4,032 blocks are between its block and the date. Ask for a proof that was made nearer to it.',
  'cannot-say': 'the source cannot say when a coin was spent. Use another one.',
  'spent-since': 'all coins that were there at the date were spent since, so the signature may be later.',
};

/** What a reason of `joinProofs` means, for the file with this name. */
export const JOINT_REASONS = {
  'false-file': (file) => `${file} is false.`,
  'other-request': (file) => `${file} is for another request than the first file.`,
  'other-network': (file) => `${file} is about coins of another network than the first file.`,
  'too-many': () => 'at most 20 files and 5,000 coins can be checked together.',
  'unchecked-file': (file) => `not everything in ${file} could be checked.`,
  'same-file': (file) => `${file} is there twice.`,
  'same-coin': (file) => `${file} names a coin that another file names as well. It counts once.`,
};
