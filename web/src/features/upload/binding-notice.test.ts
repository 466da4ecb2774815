import { expect, test } from 'vitest';
import type { Fault } from './binding';
import { faultSentence } from './binding-notice';

test.each<[Fault, RegExp]>([
  [{ of: 'lock-time', found: 0 }, /lock time is not set, and must be block 452,038,930/],
  [{ of: 'lock-time', found: 499_999_999 }, /lock time is block 499,999,999/],
  [{ of: 'sequences' }, /final sequence number/],
  [{ of: 'valueless' }, /more than one output without a value/],
  [{ of: 'form', output: 1 }, /Output 2 has your statement in the wrong form/],
  [{ of: 'elsewhere', output: 1 }, /Output 2 pays an address/],
  [{ of: 'sum', input: 0, had: 7, back: 6 }, /bc1aa has 0.00000007 BTC in this file, and gets 0.00000006 BTC/],
  [{ of: 'sum', input: 1, had: 7, back: 9 }, /the script of one of its inputs has 0.00000007 BTC/],
])('what makes a file no proof is said: %j', (fault, sentence) => {
  expect(faultSentence(fault, { lock_time: 452_038_930 }, [{ address: 'bc1aa' }, { address: null }])).toMatch(sentence);
});
