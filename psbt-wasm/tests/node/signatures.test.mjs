// Signatures as JavaScript sees them. What is valid and what is not: tests/behavior/signatures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSignatures, inspect, PsbtError, readPsbt } from 'psbt-wasm/sync';
import { bytes as joined, compact, field, output, searched, times, u32 } from './hostile.mjs';
import { LARGE, binary, bytesOf, exhaust, fixture, memories } from './support.mjs';

const bytes = binary(fixture('mixed.psbt'));

test('a report is a plain object with a verdict on each input', async () => {
  const { complete, inputs } = await checkSignatures(bytes);
  assert.equal(complete, false);
  const column = (name) => inputs.map((input) => input[name]);
  // The fixture's signatures are well-formed, and sign something else.
  assert.deepEqual(column('status'), ['invalid', 'missing', 'invalid', 'invalid']);
  assert.deepEqual(column('reason'), ['wrong-signature', 'no-signature', 'wrong-signature', 'wrong-signature']);
  assert.deepEqual(column('needed'), [1, 1, 1, 1]);
  assert.deepEqual({ ...inputs[0].signatures[0], key: inputs[0].signatures[0].key.length }, {
    key: 66,
    valid: false,
    sighash: 1,
    commitsToAll: true,
  });
  assert.equal(inputs[3].signatures[0].sighash, 0);
  for (const input of inputs) assert.match(input.message, /\.$/);
});

test('a transaction that no block can hold is refused; a PSBT of as many inputs may be about a message', async () => {
  const of = (count) => {
    const inputs = times(count, (at) => joined(u32(at + 1), Buffer.alloc(32), 0, u32(0)));
    return joined(u32(2), compact(count), ...inputs, 1, output([0x51]), u32(0));
  };
  assert.equal((await checkSignatures(of(24_000))).inputs.length, 24_000);
  await assert.rejects(checkSignatures(of(25_000)), { code: 'file-too-large', message: 'The transaction is too large: no block can hold it.' });
  const psbt = joined('psbt', 0xff, field([0], of(25_000)), 0, Buffer.alloc(25_001));
  assert.equal((await checkSignatures(psbt)).inputs.length, 25_000);
});

test('a final transaction does not state what it spends', async () => {
  const { inputs } = await checkSignatures(bytesOf(fixture('final.txn')));
  assert.deepEqual([inputs[0].status, inputs[0].reason], ['inconclusive', 'unknown-utxo']);
});

test('errors are those of the reader', async () => {
  for (const [file, code] of [
    [new Uint8Array(5), 'invalid-magic'],
    [bytes.slice(0, 100), 'could-not-parse'],
    [new Uint8Array(50_000_000), 'file-too-large'],
  ]) {
    const error = await checkSignatures(file).catch((error) => error);
    assert.ok(error instanceof PsbtError);
    assert.equal(error.code, code);
  }
  await assert.rejects(checkSignatures(5), TypeError);
});

test('a trap is one clear error, and the next file is checked as if nothing had been', async () => {
  const expected = await checkSignatures(bytes);
  exhaust(memories.tools);
  await assert.rejects(checkSignatures(LARGE), { code: 'internal' });
  assert.deepEqual(await checkSignatures(bytes), expected);
});

test('at most so many signatures are tried as the caller allows', async () => {
  const { inputs } = await checkSignatures(bytes, { maxChecks: 2 });
  assert.deepEqual(inputs.map(({ status }) => status), ['invalid', 'missing', 'invalid', 'inconclusive']);
  for (const maxChecks of [-1, 0.5, 40_001, '1', null]) {
    await assert.rejects(checkSignatures(bytes, { maxChecks }), { code: 'invalid-option' });
  }
});

/** Inputs that each ask for as many checks as one may. */
const SEARCHED = searched(8);

test('checks let other work run, and end when the caller gives up', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const check = checkSignatures(SEARCHED, { signal: controller.signal });
  setTimeout(() => controller.abort(reason));
  await assert.rejects(check, (error) => error === reason);
  await assert.rejects(checkSignatures(bytes, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
  // The module still works afterwards.
  assert.deepEqual((await checkSignatures(bytes)).inputs.length, 4);
});

test('checks that run at once do not mix', async () => {
  const expected = await checkSignatures(bytes);
  const [searched, own] = await Promise.all([checkSignatures(SEARCHED), checkSignatures(bytes)]);
  assert.equal(searched.inputs.length, 8);
  assert.deepEqual(own, expected);
});

test('a key that is no point is a problem, and nothing that a report is refused for', async () => {
  // The key of an origin; half of all numbers are no x coordinate, so at least one of these is not.
  const text = Buffer.from(bytes).toString('latin1');
  const origin = text.indexOf('\x22\x06') + 2;
  const outcomes = [];
  for (let number = 0; number < 16; number += 1) {
    const changed = Uint8Array.from(bytes);
    changed[origin + 32] = number;
    assert.equal(readPsbt(changed, 'mainnet').inputs.length, 4);
    outcomes.push((await inspect(changed)).problems.length);
  }
  assert.deepEqual(new Set(outcomes), new Set([0, 1]));
});
