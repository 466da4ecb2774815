/** What the scripts of coins ask for, in words. */
import { formatCount, formatLockTime, plural } from '../../lib/format';
import type { SpendingConditions } from '../../psbt';
import { relativeLock } from '../../api/esplora';
import { utcTime } from '../../lib/instant';

/** Of one coin: `2 of 3 keys; keys 1, 2 and 3 signed`. */
export function conditionText(conditions: SpendingConditions | null | undefined): string {
  if (!conditions) return 'Cannot be seen';
  const { needed, of, signed, lockTime, sequence, hidden } = conditions;
  const keys = of === 1 ? 'One key' : `${formatCount(needed)} of ${formatCount(of)} keys; ${keyList(signed)} signed`;
  return [keys, lockTime !== null && `locked until ${untilText(lockTime)}`, sequence !== null && ageText(sequence), hidden && 'other conditions cannot be seen'].filter(Boolean).join('; ');
}

/** Where several keys could sign, who did: of the coins that ask for the same. Null when no coin has several keys. */
export function signedKeys(conditions: readonly (SpendingConditions | null)[] | undefined): string | null {
  const several = (conditions ?? []).filter((one) => one !== null).filter(({ of }) => of > 1);
  const sentences = several.map(({ needed, of, signed }) => `${capitalized(keyList(signed))} of ${formatCount(of)} signed; ${formatCount(needed)} ${needed === 1 ? 'is' : 'are'} needed.`);
  return [...new Set(sentences)].join(' ') || null;
}

/** `keys 1, 2 and 3`. */
function keyList(places: number[]): string {
  if (places.length === 0) return 'no key';
  const [last, ...before] = places.toReversed().map((place) => formatCount(place));
  return before.length === 0 ? `key ${last}` : `keys ${before.toReversed().join(', ')} and ${last}`;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** BIP-0065: below 500,000,000 a height, else a time. */
const untilText = (lockTime: number) => (lockTime < 500_000_000 ? formatLockTime(lockTime).toLowerCase() : utcTime(lockTime));

function ageText(sequence: number): string {
  const lock = relativeLock(sequence, 2);
  if (!lock) return 'no age needed';
  return `spendable ${'blocks' in lock ? plural(lock.blocks, 'block') : plural(lock.seconds, 'second')} after it was received`;
}
