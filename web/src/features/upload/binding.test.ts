import { expect, test } from 'vitest';
import type { PsbtInput, PsbtOutput } from '../../psbt';
import { bindingOf } from './binding';
import { hexOf } from '../../lib/printed';
import { faultSentence } from './binding-notice';

const STATEMENT = 'Proof of Reserves reserves.example satoshi 7m2kq4xw9d3rt5yb8n6c';
const scriptOf = (text: string) => `6a${text.length.toString(16).padStart(2, '0')}${hexOf(text)}`;
const ACCOUNT = { statement: STATEMENT, output_script: scriptOf(STATEMENT), lock_time: 452_038_930 };

const input = (scriptPubKey: string | null, sats: number | null, sequence = 0xffff_fffd) =>
  ({ scriptPubKey, valueSats: sats === null ? null : BigInt(sats), sequence, address: scriptPubKey && `bc1${scriptPubKey}` }) as PsbtInput;
const output = (scriptPubKey: string, sats: number) => ({ scriptPubKey, valueSats: BigInt(sats) }) as PsbtOutput;
const says = (text = STATEMENT, sats = 0) => output(scriptOf(text), sats);
const check = (inputs: PsbtInput[], outputs: PsbtOutput[], lockTime = ACCOUNT.lock_time, message: string | null = null) =>
  bindingOf({ inputs, outputs, lockTime, message }, ACCOUNT);

/** BIP-0322: no value and no other output. */
const proofOfFunds = (message: string, sequence = 0) => check([input('aa', 7, sequence)], [output('6a', 0)], 0, message);

test('the data of the output is the statement in hex', () => {
  expect(hexOf('Proof')).toBe('50726f6f66');
});

test.each([
  ['one coin back to itself', [input('aa', 7)], [output('aa', 7), says()]],
  ['coins of one script together', [input('aa', 7), input('aa', 2)], [output('aa', 9), says()]],
  ['several scripts, in any order and number', [input('aa', 7), input('bb', 2)], [says(), output('bb', 2), output('aa', 3), output('aa', 4)]],
  ['one sequence that heeds the lock time', [input('aa', 7, 0xffff_ffff), input('aa', 1, 144)], [output('aa', 8), says()]],
])('bound: %s', (_name, inputs, outputs) => expect(check(inputs, outputs)).toEqual({ state: 'bound' }));

test.each([
  ['lock time 0', [input('aa', 7)], [output('aa', 7), says()], 0, /lock time is not set, and must be block 452,038,930/],
  ['the replay stamp', [input('aa', 7)], [output('aa', 7), says()], 499_999_999, /lock time is block 499,999,999/],
  ['sequences that are all final', [input('aa', 7, 0xffff_ffff)], [output('aa', 7), says()], undefined, /final sequence number/],
  ['a second statement', [input('aa', 7)], [output('aa', 7), says(), says()], undefined, /more than one OP_RETURN/],
  ['a statement that is not one direct push', [input('aa', 7)], [output('aa', 7), output(`6a4c${scriptOf(STATEMENT).slice(2)}`, 0)], undefined, /Output 2 has your statement in the wrong form/],
  ['a value on the statement', [input('aa', 7)], [output('aa', 6), says(STATEMENT, 1)], undefined, /Output 2 carries your statement and also has a value/],
  ['another’s address', [input('aa', 7)], [output('aa', 5), output('cc', 2), says()], undefined, /Output 2 pays an address/],
  ['a fee', [input('aa', 7)], [output('aa', 6), says()], undefined, /bc1aa has 0.00000007 BTC in this file, and gets 0.00000006 BTC/],
  ['value that moves between own scripts', [input('aa', 7), input('bb', 2)], [output('aa', 9), says()], undefined, /bc1aa has 0.00000007/],
])('not still: %s', (_name, inputs, outputs, lockTime, sentence) => {
  const binding = check(inputs, outputs, lockTime);
  expect(binding.state).toBe('moving');
  expect(binding.state === 'moving' && faultSentence(binding.fault, ACCOUNT)).toMatch(sentence);
});

test.each([
  ['another name', STATEMENT.replace('satoshi', 'mallory')],
  ['a name that differs in one letter', STATEMENT.replace('satoshi', 'satoshl')],
  ['another site', STATEMENT.replace('reserves.example', 'reserves.invalid')],
  ['something after it', `${STATEMENT}x`],
  ['other letters at its beginning', STATEMENT.toUpperCase()],
  ['its first letter left out', STATEMENT.slice(1)],
])('a statement with %s is another account’s', (_name, text) => {
  expect(check([input('aa', 7)], [output('aa', 7), says(text)])).toEqual({ state: 'foreign', statement: text });
});

test('a mangled statement of another account is not taken for none', () => {
  const mangled = output(`6a4c${scriptOf(STATEMENT.replace('satoshi', 'mallory')).slice(2)}`, 0);
  expect(check([input('aa', 7)], [output('aa', 7), mangled])).toEqual({ state: 'foreign', statement: STATEMENT.replace('satoshi', 'mallory') });
});

test('a foreign statement is named before anything else is', () => {
  const text = STATEMENT.replace('satoshi', 'mallory');
  expect(check([input('aa', 7)], [output('cc', 1), says(text)], 0)).toEqual({ state: 'foreign', statement: text });
  expect(check([input('aa', 7)], [output('aa', 7), says(), says(text)])).toEqual({ state: 'foreign', statement: text });
});

test('what the file does not tell is left to the server', () => {
  expect(check([input(null, null), input('aa', 7)], [output('6a', 0)])).toEqual({ state: 'unknown', why: 'message' }); // BIP-0322
  expect(check([input(null, null)], [output('aa', 7), says()])).toEqual({ state: 'unknown', why: 'values' });
  const before = STATEMENT.replace('7m2k', 'qqqq');
  expect(check([input('aa', 7)], [output('aa', 7), says(before)])).toEqual({ state: 'unknown', why: 'earlier-code' });
});

/** Proofs, section 1: a line of 64 or 65 characters has a code of 22. */
test('a code of 22 letters is a code like one of 20', () => {
  const [before, now] = ['qqqqqq4xw9d3rt5yb8n6ca', '7m2kq4xw9d3rt5yb8n6cab'].map((code) => `Proof of Reserves reserves.example @hal_finney ${code}`);
  const file = { inputs: [input('aa', 7)], outputs: [output('aa', 7), says(before)], lockTime: ACCOUNT.lock_time, message: null };
  expect(bindingOf(file, { ...ACCOUNT, statement: now ?? '' })).toEqual({ state: 'unknown', why: 'earlier-code' });
});

test('a message whose first input a device has made final is changed, not a proof', () => {
  expect(proofOfFunds(STATEMENT, 0xffff_ffff)).toEqual({ state: 'changed' });
  expect(proofOfFunds(STATEMENT, 0)).toEqual({ state: 'bound' });
  expect(proofOfFunds(STATEMENT, 144)).toEqual({ state: 'bound' });
});

test('the message of a proof of funds is the statement, or is not', () => {
  expect(proofOfFunds(STATEMENT)).toEqual({ state: 'bound' });
  expect(proofOfFunds(STATEMENT.replace('7m2k', 'qqqq'))).toEqual({ state: 'unknown', why: 'earlier-code' });
  expect(proofOfFunds('hello')).toEqual({ state: 'foreign', statement: 'hello' });
});

test.each([
  ['an ordinary transaction', [output('aa', 6)]],
  ['an OP_RETURN with something else', [output('aa', 6), says('hello')]],
])('unbound: %s', (_name, outputs) => expect(check([input('aa', 7)], outputs)).toEqual({ state: 'unbound' }));
