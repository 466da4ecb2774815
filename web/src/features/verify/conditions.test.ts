import { expect, test } from 'vitest';
import type { SpendingConditions } from '../../psbt';
import { conditionText, signedKeys } from './conditions';

const of = (more: Partial<SpendingConditions>): SpendingConditions => ({ needed: 1, of: 1, signed: [1], lockTime: null, sequence: null, hidden: false, ...more });

test.each<[string, SpendingConditions | null]>([
  ['Cannot be seen', null],
  ['One key', of({})],
  ['2 of 3 keys; keys 1 and 3 signed', of({ needed: 2, of: 3, signed: [1, 3] })],
  ['2 of 3 keys; keys 1, 2 and 3 signed', of({ needed: 2, of: 3, signed: [1, 2, 3] })],
  ['One key; locked until block 900,000', of({ lockTime: 900_000 })],
  ['One key; locked until 2027-01-01 00:00:00 UTC', of({ lockTime: 1_798_761_600 })],
  ['One key; spendable 144 blocks after it was received', of({ sequence: 144 })],
  ['One key; spendable 5,120 seconds after it was received', of({ sequence: 0x40_000a })],
  ['1 of 2 keys; key 2 signed; other conditions cannot be seen', of({ of: 2, signed: [2], hidden: true })],
])('%s', (words, conditions) => expect(conditionText(conditions)).toBe(words));

test('keys are named where there are several, once for all coins that ask for the same', () => {
  const three = of({ needed: 2, of: 3, signed: [1, 2, 3] });
  expect(signedKeys([three, three, of({}), null])).toBe('Keys 1, 2 and 3 of 3 signed; 2 are needed.');
  expect(signedKeys([three, of({ of: 2, signed: [2] })])).toBe('Keys 1, 2 and 3 of 3 signed; 2 are needed. Key 2 of 2 signed; 1 is needed.');
  expect(signedKeys([of({}), null])).toBeNull();
});
