import { expect, test } from 'vitest';
import type { PsbtInput, PsbtOutput } from '../../psbt';
import { bindingOf, bindingSentence } from './binding';

const input = (scriptPubKey: string | null) => ({ scriptPubKey }) as PsbtInput;
const output = (scriptPubKey: string, sats: number, scriptType: PsbtOutput['scriptType'] = 'p2wpkh') =>
  ({ scriptPubKey, scriptType, valueSats: BigInt(sats) }) as PsbtOutput;
const CHALLENGE = { amount_sats: 54_321, previous_amount_sats: 12_345 };

const check = (inputs: (string | null)[], outputs: PsbtOutput[]) =>
  bindingOf({ inputs: inputs.map(input), outputs }, CHALLENGE);

test.each([
  ['the amount and the rest back', ['a'], [output('a', 54_321), output('a', 9)]],
  ['the amount of the period before', ['a'], [output('a', 12_345)]],
  ['one script may pay others beside', ['a', 'a'], [output('a', 54_321), output('z', 9)]],
  ['several scripts, all outputs their own', ['a', 'b'], [output('b', 54_321), output('a', 9)]],
  ['an OP_RETURN aside', ['a', 'b'], [output('b', 54_321), output('6a', 0, 'op-return')]],
])('bound: %s', (_name, inputs, outputs) => expect(check(inputs, outputs)).toEqual({ state: 'bound' }));

test.each([
  ['no such amount', ['a'], [output('a', 54_322)], 'amount', /^No output/],
  ['paid to somebody else', ['a'], [output('a', 9), output('z', 54_321)], 'own-script', /^Output 2 has/],
  ['several scripts, and an output of another', ['a', 'b'], [output('a', 54_321), output('z', 9)], 'own-outputs', /^Output 2 pays/],
])('not bound: %s', (_name, inputs, outputs, missing, sentence) => {
  const binding = check(inputs, outputs);
  expect(binding).toMatchObject({ state: 'unbound', missing });
  expect(binding.state === 'unbound' && bindingSentence(binding)).toMatch(sentence);
});

test('what the file does not tell is left to the server', () => {
  expect(check([null], [output('a', 54_321)])).toEqual({ state: 'unknown' });
  expect(check(['a'], [output('6a', 0, 'op-return')])).toEqual({ state: 'unknown' }); // BIP-322
});
