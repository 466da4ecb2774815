// What stripping leaves of a file.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPsbt, stripPsbt } from 'psbt-wasm/sync';
import { binary, bytesOf, fixture } from './support.mjs';

const bytes = binary(fixture('mixed.psbt'));

test('no private field is left, and no previous transaction', () => {
  const minimal = stripPsbt(bytes);
  assert.ok(minimal instanceof Uint8Array);
  assert.deepEqual(Object.values(readPsbt(minimal, 'mainnet').privateFields), [0, 0, 0, 0, 0]);
  const text = Buffer.from(minimal).toString('latin1');
  for (const secret of ['VENDOR', 'vendor', 'future', '\xde\xad\xbe\xef']) {
    assert.ok(Buffer.from(bytes).toString('latin1').includes(secret));
    assert.ok(!text.includes(secret));
  }
});

test('signatures and witness UTXOs are left', () => {
  const before = readPsbt(bytes, 'mainnet');
  const after = readPsbt(stripPsbt(bytes), 'mainnet');
  assert.equal(after.txid, before.txid);
  assert.deepEqual(after.outputs, before.outputs);
  // Input 1 had only its previous transaction: a verifier takes the coin from the chain.
  const unknown = { valueSats: null, scriptPubKey: null, address: null, scriptType: null, source: 'none' };
  const expected = before.inputs.map((input, index) => (index === 1 ? { ...input, ...unknown } : input));
  assert.deepEqual(after.inputs, expected);
});

test('the result is binary, whatever the file was', () => {
  const expected = stripPsbt(bytes);
  assert.deepEqual(stripPsbt(bytesOf(fixture('mixed.psbt'))), expected);
  assert.deepEqual(stripPsbt(bytesOf(Buffer.from(bytes).toString('hex'))), expected);
  assert.equal(Buffer.from(expected.subarray(0, 5)).toString('latin1'), 'psbt\xff');
});

test('stripping again changes nothing', () => {
  const once = stripPsbt(bytes);
  assert.deepEqual(stripPsbt(once), once);
});

test('a final transaction stays whole', () => {
  const hex = fixture('final.txn');
  assert.equal(Buffer.from(stripPsbt(bytesOf(hex))).toString('hex'), hex);
});
