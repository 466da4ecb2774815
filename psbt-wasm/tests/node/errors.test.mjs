// Errors as JavaScript sees them: class, code, message, place.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PsbtError, checkProof, checkSignatures, combine, inspect, readPsbt, stripPsbt } from 'psbt-wasm/sync';
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
    { map: 'input', index: 1 },
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
    { map: 'input', index: 1 },
  ],
];

const NOWHERE = { map: null, index: null, field: null };

for (const [name, file, code, message, place] of cases) {
  test(`${name}: ${code}`, () => {
    for (const run of [() => readPsbt(file, 'mainnet'), () => stripPsbt(file)]) {
      const error = thrownBy(run);
      assert.ok(error instanceof PsbtError);
      assert.ok(error instanceof Error);
      assert.equal(error.name, 'PsbtError');
      const { map, index, field } = error;
      assert.deepEqual({ code: error.code, message: error.message, map, index, field }, { code, message, ...NOWHERE, ...place });
    }
  });
}

test('impossible amounts are an error of the report', () => {
  const file = bytesOf(fixture('outputs-above-inputs.psbt'));
  const error = thrownBy(() => readPsbt(file, 'mainnet'));
  assert.equal(error.code, 'outputs-above-inputs');
  assert.equal(error.map, null);
});

test('an unknown network is refused', () => {
  assert.equal(thrownBy(() => readPsbt(bytes, 'bitcoin')).code, 'unknown-network');
});

test('a field is named where it is wrong', () => {
  const from = Buffer.from(bytes).indexOf('220602', 'hex');
  const damaged = Uint8Array.from(bytes);
  damaged[from + 2] = 5;
  const { map, index, field } = thrownBy(() => readPsbt(damaged, 'mainnet'));
  assert.deepEqual([map, index, field], ['input', 1, 'PSBT_IN_BIP32_DERIVATION']);
});

test('a file is bytes, an ArrayBuffer, or text in a string', async () => {
  const expected = { ...readPsbt(bytes, 'mainnet'), encoding: null };
  const hex = Buffer.from(bytes).toString('hex');
  for (const given of [bytes.slice().buffer, fixture('mixed.psbt'), hex]) {
    assert.deepEqual({ ...readPsbt(given, 'mainnet'), encoding: null }, expected);
    assert.deepEqual(stripPsbt(given), stripPsbt(bytes));
    assert.equal((await checkSignatures(given)).inputs.length, 4);
    assert.deepEqual((await combine([given, bytes])).psbt, (await combine([bytes])).psbt);
    assert.deepEqual((await inspect(given)).problems, []);
  }
});

test('anything else is a mistake of the caller', async () => {
  await assert.rejects(async () => combine(fixture('mixed.psbt')), TypeError);
  for (const value of [undefined, null, [1, 2, 3, 4, 5], new DataView(new ArrayBuffer(5))]) {
    assert.ok(thrownBy(() => readPsbt(value, 'mainnet')) instanceof TypeError);
    assert.ok(thrownBy(() => stripPsbt(value)) instanceof TypeError);
  }
});

test('an error can be restored on the other side of a worker', () => {
  const thrown = thrownBy(() => readPsbt(bytes.slice(0, bytes.length / 2), 'mainnet'));
  const { code, message, map, index, field } = thrown;
  assert.deepEqual(new PsbtError(code, message, structuredClone({ map, index, field })), thrown);
});

test('an option that a function does not have is refused by name', async () => {
  await assert.rejects(inspect(bytes, { net: 'mainnet' }), { code: 'invalid-option', message: /^There is no option net: use network, whole\.$/ });
  await assert.rejects(checkSignatures(bytes, { maxcheck: 1 }), { code: 'invalid-option', message: /maxcheck/ });
  await assert.rejects(checkProof({}, 'https://board.example', { key: [] }), { code: 'invalid-option' });
});
