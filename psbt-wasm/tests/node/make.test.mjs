// Proofs as JavaScript makes them. What is in them: tests/behavior/make.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkSignatures, combine, convert, makeProof, PsbtError, readPsbt, stripPsbt } from 'psbt-wasm/sync';
import { bytesOf, exhaust, fixture, memories } from './support.mjs';

const seed = (name) => new Uint8Array(readFileSync(new URL(`../../fuzz/seeds/${name}`, import.meta.url)));
const coins = seed('every-kind.psbt');
const statement = 'Proof of Reserves board.example @satoshi abcdefghijklmnopqrst';

test('a still transaction pays back what was there and says the statement', async () => {
  const made = await makeProof(coins, { statement, form: 'transaction' });
  assert.deepEqual({ ...made, psbt: null, notes: null }, {
    psbt: null,
    inputCount: 7,
    scriptCount: 7,
    amountSats: 700_000n,
    partCount: 1,
    notes: null,
  });
  const report = readPsbt(made.psbt, 'mainnet');
  assert.deepEqual([report.version, report.lockTime, report.feeSats], [0, 452_038_930, 0n]);
  assert.deepEqual(report.outputs.slice(0, -1).map(({ scriptPubKey }) => scriptPubKey), report.inputs.map(({ scriptPubKey }) => scriptPubKey));
  assert.equal(report.outputs.at(-1).scriptPubKey, `6a${statement.length.toString(16)}${Buffer.from(statement).toString('hex')}`);
  assert.deepEqual(report.inputs.map(({ signatureState }) => signatureState), Array(7).fill('none'));
});

test('a message spends a virtual output first', async () => {
  const made = await makeProof(coins, { statement, form: 'message' });
  assert.equal(made.inputCount, 7);
  const report = readPsbt(made.psbt, 'mainnet');
  assert.equal(report.inputs.length, 8);
  assert.deepEqual([report.inputs[0].valueSats, report.inputs[0].sequence, report.lockTime], [0n, 0, 0]);
  assert.deepEqual(report.outputs.map(({ scriptPubKey }) => scriptPubKey), ['6a']);
  const later = await makeProof(coins, { statement, form: 'message', lockTime: 1_750_000_000 });
  assert.equal(readPsbt(later.psbt, 'mainnet').lockTime, 1_750_000_000);
});

test('a report says what a message is about', async () => {
  const line = 'Gr\u00fc\u00dfe \u{1f511}';
  const of = (bytes) => readPsbt(bytes, 'mainnet').message;
  const { psbt } = await makeProof(coins, { statement, form: 'message' });
  assert.equal(of(psbt), statement);
  assert.equal(of(stripPsbt(psbt)), statement);
  assert.equal(of(coins), null);
  assert.equal(of(bytesOf(fixture('final.txn'))), null);
  // Any text, not only what this package makes.
  const text = new TextEncoder().encode(line);
  const at = Buffer.from(psbt).indexOf(statement) - 1;
  const other = Buffer.concat([psbt.subarray(0, at), Uint8Array.of(text.length), text, psbt.subarray(at + 1 + statement.length)]);
  assert.equal(of(other), line);
});

test('notes say what a signer may miss', async () => {
  const { notes } = await makeProof(coins, { statement, form: 'transaction' });
  assert.ok(notes.length > 0);
  for (const { code, input, message } of notes) {
    assert.equal(code, 'no-previous-transaction');
    assert.ok(message.startsWith(`Input ${input + 1} `), message);
  }
});

test('a file is split into parts of a few scripts', async () => {
  const files = [];
  for (let part = 0, parts = 1; part < parts; part += 1) {
    const made = await makeProof(coins, { statement, form: 'transaction', split: 3, part });
    parts = made.partCount;
    files.push(made.scriptCount);
  }
  assert.deepEqual(files, [3, 3, 1]);
});

test('options that are none are refused before anything is made', async () => {
  for (const wrong of [{ form: 'both' }, { derivations: 'some' }, { lockTime: -1 }, { lockTime: 2 ** 32 }, { split: 1.5 }, { part: '1' }, { part: 1 }, { lockTime: 5 }, { locktime: 5 }]) {
    const made = makeProof(coins, { statement, form: 'transaction', ...wrong });
    await assert.rejects(made, { name: 'PsbtError', code: 'invalid-option' }, JSON.stringify(wrong));
  }
  await assert.rejects(makeProof(coins, { form: 'message' }), TypeError);
  await assert.rejects(makeProof(coins), TypeError);
  for (const wrong of ['', ' a', 'x'.repeat(76), 'na\u00efve', '\ud800']) {
    await assert.rejects(makeProof(coins, { statement: wrong, form: 'transaction' }), { code: 'invalid-statement' });
  }
});

test('errors have a code, a sentence and the input', async () => {
  const final = await makeProof(bytesOf(fixture('final.txn')), { statement, form: 'message' }).catch((error) => error);
  assert.ok(final instanceof PsbtError);
  assert.equal(final.code, 'final-transaction');
  await assert.rejects(makeProof(new Uint8Array(5), { statement, form: 'message' }), { code: 'invalid-magic' });
  await assert.rejects(combine([]), { code: 'no-files', map: null });
  await assert.rejects(combine([5]), TypeError);
  await assert.rejects(combine([coins, seed('p2tr.psbt')]), { code: 'other-transaction' });
});

test('files are put together', async () => {
  const made = await makeProof(coins, { statement, form: 'transaction' });
  const together = await combine([made.psbt, seed('every-kind.psbt')]).catch((error) => error.code);
  assert.equal(together, 'other-transaction');
  const signed = await combine(new Set([coins, seed('base64.psbt'), seed('every-kind-v2.psbt')]));
  assert.deepEqual(signed.inputs.map(({ signatureCount }) => signatureCount), [1, 2, 1, 1, 2, 1, 1]);
  assert.ok(signed.inputs.every(({ signatureState }) => signatureState === 'partial'));
  assert.equal((await checkSignatures(signed.psbt)).complete, true);
});

test('a trap is one clear error, and the next proof is made as if nothing had been', async () => {
  const options = { statement, form: 'transaction' };
  const expected = await makeProof(coins, options);
  exhaust(memories.tools);
  // The zero at its end ends the map of the last output.
  const field = new Uint8Array(3_000_008).fill(7);
  field.set([2, 0xee, 0, 0xfe]);
  new DataView(field.buffer).setUint32(4, 3_000_000, true);
  const fields = Array.from({ length: 9 }, (_, index) => field.with(2, index));
  const large = Buffer.concat([coins.subarray(0, -1), ...fields, Uint8Array.of(0)]);
  await assert.rejects(makeProof(large, options), { code: 'internal' });
  assert.deepEqual(await makeProof(coins, options), expected);
});

test('the version is kept, asked for, or changed', async () => {
  const two = seed('every-kind-v2.psbt');
  const versionOf = (bytes) => readPsbt(bytes, 'mainnet').version;
  assert.deepEqual([stripPsbt(coins), stripPsbt(two)].map(versionOf), [0, 2]);
  assert.deepEqual([(await combine([coins, two])).psbt, (await combine([two, coins])).psbt].map(versionOf), [0, 2]);
  for (const bytes of [coins, two]) {
    const options = { statement, form: 'transaction' };
    const [zero, asked] = await Promise.all([makeProof(bytes, options), makeProof(bytes, { ...options, version: 2 })]);
    const reports = [zero, asked].map(({ psbt }) => readPsbt(psbt, 'mainnet'));
    assert.deepEqual(reports.map(({ version, lockTime }) => [version, lockTime]), [[0, 452_038_930], [2, 452_038_930]]);
    assert.equal(reports[0].txid, reports[1].txid);
    for (const version of [0, 2]) {
      const { psbt, lost } = await convert(bytes, version);
      const expected = bytes === two && version === 0 ? ['modifiable'] : [];
      assert.deepEqual([versionOf(psbt), lost], [version, expected]);
      assert.equal(readPsbt(psbt, 'mainnet').txid, readPsbt(bytes, 'mainnet').txid);
    }
  }
  for (const wrong of [1, '2', undefined]) await assert.rejects(convert(coins, wrong), { code: 'invalid-option' });
  await assert.rejects(makeProof(coins, { statement, form: 'transaction', version: 1 }), { code: 'invalid-option' });
});
