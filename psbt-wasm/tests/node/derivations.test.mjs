// Where keys are from, and fields in full.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derivations, inspect } from 'psbt-wasm';
import { binary, fixture } from './support.mjs';

const bytes = binary(fixture('mixed.psbt'));

test('each input and output says where its keys are from', async () => {
  const { accounts, inputs, outputs, truncated } = await derivations(bytes);
  assert.deepEqual([accounts.length, inputs.length, outputs.length, truncated], [1, 4, 2, false]);
  assert.match(accounts[0].key, /^xpub/);
  // The same as the fields say one by one.
  const { fields } = await inspect(bytes);
  const said = fields.filter(({ name }) => /DERIVATION|XPUB/.test(name));
  const listed = [...accounts, ...inputs.flat(), ...outputs.flat()];
  assert.deepEqual(listed.map(({ fingerprint, path }) => [fingerprint, path]), said.map(({ decoded }) => [decoded.fingerprint, decoded.path]));
  for (const { key, path } of inputs.flat()) {
    assert.match(key, /^(0[23])?[0-9a-f]{64}$/);
    assert.match(path, /^m(\/\d+'?)+$/);
  }
});

test('outputs of a fingerprint are one\'s own', async () => {
  const { outputs, own } = await derivations(bytes);
  assert.deepEqual(own, []);
  const [{ fingerprint }] = outputs[0];
  assert.deepEqual((await derivations(bytes, { fingerprint })).own, [0]);
  assert.deepEqual((await derivations(bytes, { fingerprint: fingerprint.toUpperCase() })).own, [0]);
  assert.deepEqual((await derivations(bytes, { fingerprint: '00000000' })).own, []);
  for (const wrong of ['0000000', 'xyzxyzxy', 7, null]) {
    await assert.rejects(derivations(bytes, { fingerprint: wrong }), { code: 'invalid-option' });
  }
  await assert.rejects(derivations(bytes, { fingerPrint: fingerprint }), { code: 'invalid-option' });
});

test('a final transaction names no keys', async () => {
  assert.deepEqual(await derivations(fixture('final.txn')), { accounts: [], inputs: [[]], outputs: [[]], truncated: false, own: [] });
});

test('long keys and values are shown whole where that is asked for', async () => {
  const long = 'ab'.repeat(3_000);
  const hex = (number) => number.toString(16).padStart(2, '0');
  const field = (key, value) => `${hex(key.length / 2)}${key}fd${Buffer.from(Uint16Array.of(value.length / 2).buffer).toString('hex')}${value}`;
  const sound = Buffer.from(bytes).toString('hex');
  const file = sound.replace(/^70736274ff/, `70736274ff${field('f0', long)}`);
  const shown = async (options) => (await inspect(file, options)).fields[0];
  assert.deepEqual([(await shown()).value.length, (await shown()).valueBytes], [1_040, 3_000]);
  assert.equal((await shown({ whole: true })).value, long);
});
