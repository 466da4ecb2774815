// Errors as JavaScript sees them: class, code, message, input.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PsbtError, checkProof, checkSignatures, readPsbt, stripPsbt } from 'psbt-wasm';
import { binary, bytesOf, fixture, thrownBy } from './support.mjs';

const bytes = binary(fixture('mixed.psbt'));

const cases = [
  ['nothing', new Uint8Array(0), 'file-too-short', 'Invalid PSBT: File too short'],
  ['four bytes', bytesOf('psbt'), 'file-too-short', 'Invalid PSBT: File too short'],
  [
    'five other bytes',
    new Uint8Array([1, 2, 3, 4, 5]),
    'invalid-magic',
    'Invalid PSBT: Invalid magic number',
  ],
  ['another file', bytesOf('<!doctype html>'), 'invalid-magic', 'Invalid PSBT: Invalid magic number'],
  [
    'half a file',
    bytes.slice(0, bytes.length / 2),
    'could-not-parse',
    'Invalid PSBT: Could not parse. Input 2: The file, or a field in it, ends too early.',
    1,
  ],
  [
    'a file and more',
    new Uint8Array([...bytes, 0]),
    'could-not-parse',
    'Invalid PSBT: Could not parse. There is unexpected data after the end.',
  ],
  [
    '50 MB',
    new Uint8Array(50_000_000),
    'file-too-large',
    'The file is too large: at most 32 MiB can be read.',
  ],
  [
    'another previous transaction',
    bytesOf(fixture('previous-transaction-mismatch.psbt')),
    'previous-transaction-mismatch',
    'Input 2 carries a previous transaction that is not the one it spends.',
    1,
  ],
];

for (const [name, file, code, message, input = null] of cases) {
  test(`${name}: ${code}`, () => {
    for (const run of [() => readPsbt(file, 'mainnet'), () => stripPsbt(file)]) {
      const error = thrownBy(run);
      assert.ok(error instanceof PsbtError);
      assert.ok(error instanceof Error);
      assert.equal(error.name, 'PsbtError');
      assert.deepEqual([error.code, error.message, error.input], [code, message, input]);
    }
  });
}

test('impossible amounts are an error of the report', () => {
  const file = bytesOf(fixture('outputs-above-inputs.psbt'));
  const error = thrownBy(() => readPsbt(file, 'mainnet'));
  assert.equal(error.code, 'outputs-above-inputs');
  assert.equal(error.input, null);
});

test('an unknown network is refused', () => {
  assert.equal(thrownBy(() => readPsbt(bytes, 'bitcoin')).code, 'unknown-network');
});

test('keys are checked in one of two ways', () => {
  for (const keys of ['foo', 'Curve', '', 1, {}]) assert.equal(thrownBy(() => readPsbt(bytes, 'mainnet', { keys })).code, 'invalid-option');
  for (const options of [undefined, null, {}, { keys: undefined }]) assert.equal(readPsbt(bytes, 'mainnet', options).format, 'psbt');
});

test('anything but a Uint8Array is a mistake of the caller', () => {
  for (const value of [undefined, null, 'cHNidP8=', [1, 2, 3, 4, 5], new ArrayBuffer(5)]) {
    assert.ok(thrownBy(() => readPsbt(value, 'mainnet')) instanceof TypeError);
    assert.ok(thrownBy(() => stripPsbt(value)) instanceof TypeError);
  }
});

test('an error can be restored on the other side of a worker', () => {
  const { code, message, input } = thrownBy(() => readPsbt(new Uint8Array(5), 'mainnet'));
  const copy = new PsbtError(code, message, input);
  assert.deepEqual([copy.code, copy.message, copy.input], [code, message, input]);
});

test('an option that a function does not have is refused by name', async () => {
  assert.throws(() => readPsbt(bytes, 'mainnet', { key: 'curve' }), { code: 'invalid-option', message: /^There is no option key: use keys\.$/ });
  await assert.rejects(checkSignatures(bytes, { maxcheck: 1 }), { code: 'invalid-option', message: /maxcheck/ });
  await assert.rejects(checkProof({}, 'https://board.example', { key: [] }), { code: 'invalid-option' });
});
