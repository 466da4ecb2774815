// A proof for one reader, from the words to the check. Its statement: src/statement.rs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkProof, combine, extract, makeProof, normalizeWords, readerProof, readerStatement } from 'psbt-wasm';
import { bytes, compact, u32 } from './hostile.mjs';
import { binary, fixture } from './support.mjs';

const asked = {
  words: 'Acme Bank, loan 4711 k3v9q2',
  name: 'Alice',
  nonce: new Uint8Array(16).fill(7),
  header: new Uint8Array(80).fill(9),
  height: 900_006,
};

test('words have one form, and hidden characters are refused', async () => {
  const { text, mixed } = await normalizeWords(' Acme\u00a0 Bank,\n loan 4711  Cafe\u0301 ');
  assert.deepEqual([text, mixed], ['Acme Bank, loan 4711 Caf\u00e9', []]);
  assert.deepEqual((await normalizeWords('\u0410cme Bank')).mixed, ['\u0410cme']);
  assert.deepEqual((await normalizeWords('\u6771\u4eac\u3068 Acme')).mixed, []);
  for (const hidden of ['a\u200bb', 'a\u202eb', 'a\ufeffb', 'a\u0000b', 'a\u3164b', 'a\u00adb', 'a\ufffcb', 'a\ufffdb', 'a\u2800b', 'a\uffffb', 'a\u{1d159}b', 'a\ufe0fb', '\ud800', '', '   ', 'x'.repeat(201)]) {
    await assert.rejects(async () => normalizeWords(hidden), { code: 'invalid-words' });
  }
});

test('words that are too long are refused at once', { timeout: 5_000 }, async () => {
  const marks = '\u0315\u0300\u0321'.repeat(5_000_000);
  await assert.rejects(async () => normalizeWords(`a${marks}`), { code: 'invalid-words' });
  // More than 200 bytes before NFC, and fewer after it.
  assert.equal((await normalizeWords('u\u0308\u0304'.repeat(60))).text, '\u01d6'.repeat(60));
});

test('the statement fits a device and commits to all of it', async () => {
  const line = await readerStatement(asked);
  assert.match(line, /^Proof of Reserves for:acme-bank-loan-4711-k3v~[a-z2-7]{8} ([a-z2-7]{20}|[a-z2-7]{22})$/);
  assert.equal(await readerStatement({ ...asked, words: ' Acme Bank,  loan 4711 k3v9q2' }), line);
  const others = [
    { words: 'Acme Bank, loan 4712 k3v9q2' },
    { words: 'acme Bank, loan 4711 k3v9q2' },
    { name: 'alice' },
    { nonce: new Uint8Array(16) },
    { header: new Uint8Array(80) },
    { network: 'testnet4' },
  ];
  for (const other of others) assert.notEqual(await readerStatement({ ...asked, ...other }), line);
});

test('a published proof is a signed file, which is extracted again', async () => {
  const { psbt } = await checkProof(fixture('published-transaction.json'), 'https://board.example');
  const transaction = await extract(psbt);
  assert.equal(Buffer.from(transaction).toString('hex'), JSON.parse(fixture('published-transaction.json')).transaction);
  await assert.rejects(async () => extract(binary(fixture('mixed.psbt'))), { code: 'not-signed', map: 'input', index: 1 });
});

test('the file of a signed proof is what a checker reads', async () => {
  const fixed = JSON.parse(fixture('reader-transaction.json'));
  const { subject, name, nonce, block } = fixed.statement;
  const given = { words: ` ${subject}`, name, nonce, header: Buffer.from(block.header, 'hex'), height: block.height };
  const { psbt } = await checkProof(JSON.stringify(fixed), 'reader');
  const proof = await readerProof(given, psbt, psbt);
  assert.deepEqual(proof, fixed);
  assert.equal((await checkProof(JSON.stringify(proof), 'reader')).complete, true);
  assert.equal((await readerProof({ ...given, network: 'regtest' }, psbt, psbt)).network, 'regtest');
});

test('a network that no code commits to is refused, and so is a request that is none', async () => {
  for (const network of ['testnet', 'bitcoin', 'toString']) {
    await assert.rejects(async () => readerStatement({ ...asked, network }), { code: 'unknown-network' });
  }
  for (const wrong of [{ nonce: '00' }, { header: new Uint8Array(79) }, { height: '900006' }, { word: 'Acme' }]) {
    await assert.rejects(async () => readerStatement({ ...asked, ...wrong }), { code: 'invalid-option' });
  }
});

test('a file that nobody has signed makes no proof', async () => {
  const statement = await readerStatement(asked);
  const { psbt } = await makeProof(binary(fixture('mixed.psbt')), { statement, form: 'transaction' });
  await assert.rejects(async () => readerProof(asked, psbt, psbt), { code: 'not-signed' });
});

test('a transaction that a checker would refuse makes no proof', async () => {
  const outputs = bytes(compact(444_444), Buffer.alloc(444_444 * 9));
  const transaction = new Uint8Array(bytes(u32(2), 1, Buffer.alloc(36, 7), 1, 0x51, u32(0), outputs, u32(0)));
  assert.ok((await extract(transaction)).length > 4_000_000);
  await assert.rejects(async () => readerProof(asked, transaction, transaction), { code: 'file-too-large' });
});

/** Signed by all three keys of each of its 2-of-3 coins. */
const multisig = JSON.parse(fixture('reader-multisig.json'));

/** The file with a change to one of the signatures that no script needs. */
function withFurther(change) {
  const proof = structuredClone(multisig);
  change(proof.further_signatures);
  return JSON.stringify(proof);
}

test('signatures that no script needs are checked, and say which keys signed', async () => {
  const check = await checkProof(JSON.stringify(multisig), 'reader');
  const all = { needed: 2, of: 3, signed: [1, 2, 3], lockTime: null, sequence: null, hidden: false };
  assert.deepEqual([check.complete, check.further, check.conditions], [true, null, [all, all]]);
  const { further_signatures: further, ...quorum } = multisig;
  const fewer = await checkProof(JSON.stringify(quorum), 'reader');
  assert.deepEqual([fewer.complete, fewer.conditions[0].signed], [true, [1, 2]]);
  assert.equal(further.length, 2);
  for (const [change, fault] of [
    [(all) => (all[0].input = 2), 'no-input'],
    [(all) => (all[0].input = 1), 'other-key'],
    [(all) => all.push(all[0]), 'twice'],
    [(all) => (all[1].signature = all[0].signature), 'wrong-signature'],
    [(all) => (all[0].signature = all[0].signature.replace(/01$/, '02')), 'sighash'],
    [(all) => (all[0].public_key = `04${all[0].public_key.slice(2)}`), 'other-key'],
  ]) {
    const { complete, further } = await checkProof(withFurther(change), 'reader');
    assert.deepEqual([complete, further], [false, fault], String(change));
  }
  for (const change of [
    (all) => all.splice(0),
    (all) => (all[0].more = 1),
    (all) => delete all[0].input,
    (all) => (all[0].input = -1),
    (all) => (all[0].signature = 'AB'),
  ]) {
    await assert.rejects(checkProof(withFurther(change), 'reader'), { code: 'malformed-proof' }, String(change));
  }
  const published = { ...JSON.parse(fixture('published-transaction.json')), further_signatures: further };
  await assert.rejects(checkProof(JSON.stringify(published), 'https://board.example'), { code: 'malformed-proof' });
});

test('they go into the file only when the holder says yes', async () => {
  const { subject, name, nonce, block } = multisig.statement;
  const given = { words: subject, name, nonce, header: block.header, height: block.height, network: 'regtest' };
  const { psbt } = await checkProof(JSON.stringify(multisig), 'reader');
  const { further_signatures: further, ...quorum } = multisig;
  // What the third cosigner gives back, combined with the finalized file of the others.
  const cosigned = binary(fixture('reader-multisig-cosigned.psbt'));
  const signed = (await combine([psbt, cosigned])).psbt;
  assert.deepEqual(await readerProof(given, psbt, signed), quorum);
  assert.deepEqual(await readerProof(given, psbt, signed, { everyKey: false }), quorum);
  assert.deepEqual(await readerProof(given, psbt, signed, { everyKey: true }), { ...quorum, further_signatures: further });
  assert.deepEqual(await readerProof(given, psbt, psbt, { everyKey: true }), quorum);
  await assert.rejects(readerProof(given, psbt, signed, { everyKeys: true }), { code: 'invalid-option' });
});
