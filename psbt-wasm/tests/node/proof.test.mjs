// Published proofs as JavaScript sees them. What is right and what is false: tests/behavior/published.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkProof, PsbtError, readProof, readPsbt } from 'psbt-wasm/sync';
import { exhaust, fixture, memories } from './support.mjs';

const ORIGIN = 'https://board.example';
const published = (name) => JSON.parse(fixture(`published-${name}.json`));
const check = (proof, origin = ORIGIN, options) => checkProof(JSON.stringify(proof), origin, options);

for (const name of ['message', 'transaction']) {
  test(`a ${name} over coins of every kind is complete`, async () => {
    const proof = published(name);
    const { complete, statement, carrier, amountSats, inputs, psbt } = await check(proof, ORIGIN);
    assert.deepEqual({ complete, statement, carrier, amountSats }, { complete: true, statement: null, carrier: null, amountSats: 700_000n });
    assert.deepEqual(new Set(inputs.map(({ status }) => status)), new Set(['valid']));
    const report = readPsbt(psbt, 'mainnet');
    assert.deepEqual(
      report.inputs.map(({ txid, vout, valueSats, scriptPubKey }) => ({ txid, vout, value_sats: Number(valueSats), script_pubkey: scriptPubKey })),
      proof.inputs.map(({ counts: _, ...coin }) => coin),
    );
  });
}

test('nobody is confirmed, whatever the file states', async () => {
  const proof = published('message');
  const { text, ...stated } = proof.statement;
  const { claimed } = await check(proof, ORIGIN);
  assert.deepEqual(claimed, {
    confirmed: false,
    origin: ORIGIN,
    provider: stated.provider,
    subject: stated.subject,
    accountId: stated.account_id,
    name: text.split(' ')[4],
  });
  // A wrong statement names nobody.
  proof.statement.subject = '1';
  assert.equal((await check(proof, ORIGIN)).claimed.name, null);
});

test('lengths are measured before anything is converted', async () => {
  const proof = published('message');
  const [first] = proof.inputs;
  const long = [
    { ...proof, inputs: [{ ...first, script_pubkey: '00'.repeat(16 * 1024 * 1024) }] },
    { ...proof, statement: { ...proof.statement, subject: 'x'.repeat(33 * 1024 * 1024) } },
  ];
  for (const file of long) {
    const text = JSON.stringify(file);
    const before = process.memoryUsage().arrayBuffers;
    await assert.rejects(checkProof(text, ORIGIN), { code: 'file-too-large' });
    assert.ok(process.memoryUsage().arrayBuffers - before < 1_000_000);
  }
  await assert.rejects(check({ ...proof, transaction: '00'.repeat(4_000_001) }, ORIGIN), { code: 'file-too-large' });
});

test('a file is read as it is, and only when it can be read in one way', async () => {
  const text = fixture('published-message.json');
  assert.deepEqual(await readProof(text), published('message'));
  assert.deepEqual(await readProof(new TextEncoder().encode(text)), published('message'));
  assert.deepEqual((await checkProof(text, ORIGIN)).proof, published('message'));
  for (const twice of [text.replace('{', '{"network": "signet",'), text.replace('"height": 0', '"height": 0.0')]) {
    await assert.rejects(async () => readProof(twice), { code: 'malformed-proof' });
    await assert.rejects(checkProof(twice, ORIGIN), { code: 'malformed-proof' });
  }
});

test('the work of a proof is bounded and can be ended as that of a file', async () => {
  const { complete, inputs } = await check(published('message'), ORIGIN, { maxChecks: 1 });
  assert.equal(complete, false);
  assert.deepEqual(new Set(inputs.map(({ status }) => status)), new Set(['valid', 'inconclusive']));
  await assert.rejects(check(published('message'), ORIGIN, { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('a copy on another board is false', async () => {
  const { complete, statement } = await check(published('message'), 'https://copy.example');
  assert.deepEqual({ complete, statement }, { complete: false, statement: 'other-board' });
});

test('another name in the statement is another message', async () => {
  const proof = published('message');
  proof.statement.text = proof.statement.text.replace('@satoshi', '@hal');
  const { complete, statement, carrier } = await check(proof, ORIGIN);
  assert.deepEqual({ complete, statement, carrier }, { complete: false, statement: 'other-statement', carrier: 'other-message' });
});

test('what is no published proof is an error', async () => {
  const whole = published('transaction');
  const [first] = whole.inputs;
  const inputs = [{ ...first, vout: -1 }, { ...first, value_sats: 0.5 }, { ...first, txid: '00' }, { ...first, script_pubkey: 'x' }, null];
  const broken = [
    null,
    {},
    { ...whole, binding: 'unbound' },
    { ...whole, transaction: '0' },
    { ...whole, statement: { ...whole.statement, nonce: '00' } },
    { ...whole, statement: { ...whole.statement, subject: 5 } },
    ...inputs.map((input) => ({ ...whole, inputs: [input] })),
  ];
  for (const proof of broken) {
    const error = await check(proof, ORIGIN).catch((error) => error);
    assert.ok(error instanceof PsbtError, JSON.stringify(proof));
    assert.equal(error.code, 'malformed-proof');
  }
  for (const proof of [{ ...whole, transaction: '00' }, { ...whole, inputs: whole.inputs.slice(1) }]) {
    await assert.rejects(check(proof, ORIGIN), { code: 'could-not-parse' });
  }
});

test('a trap is one clear error, and the next proof is checked as if nothing had been', async () => {
  await check(published('message'), ORIGIN);
  exhaust(memories.tools);
  // Larger than the memory that earlier tests freed.
  const large = { ...published('message'), note: 'x'.repeat(30 * 1024 * 1024) };
  await assert.rejects(check(large, ORIGIN), { code: 'internal' });
  assert.equal((await check(published('message'), ORIGIN)).complete, true);
});
