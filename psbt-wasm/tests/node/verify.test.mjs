// `psbt-wasm verify`, and the board's note.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkProof } from 'psbt-wasm';

const CLI = new URL('../../pkg/cli.js', import.meta.url).pathname;
const FILE = new URL('fixtures/published-transaction.json', import.meta.url).pathname;
const PROOF = JSON.parse(readFileSync(FILE, 'utf8'));
const ORIGIN = PROOF.statement.origin;
const BLOCK = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';

const run = (...args) =>
  new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], (error, stdout, stderr) => resolve({ status: error?.code ?? 0, said: stdout + stderr }));
  });

function changed(change) {
  const proof = structuredClone(PROOF);
  change(proof);
  const file = join(mkdtempSync(join(tmpdir(), 'verify-')), 'proof.json');
  writeFileSync(file, typeof proof === 'string' ? proof : JSON.stringify(proof));
  return file;
}

/** An Esplora server on which the coins of the proof are unspent, unless `answer` says something else. */
async function esplora(answer = () => undefined) {
  const asked = [];
  const server = createServer((request, response) => {
    const path = request.url.slice(1);
    asked.push(path);
    const input = PROOF.inputs.find(({ txid }) => path.includes(txid));
    const own = () => {
      if (path === 'block-height/0') return BLOCK;
      if (path === 'blocks/tip/height') return '980000';
      if (path.includes('/outspend/')) return '{"spent":false}';
      const vout = Array.from({ length: input.vout + 1 }, () => ({ value: input.value_sats, scriptpubkey: input.script_pubkey }));
      return JSON.stringify({ vout, status: { confirmed: true } });
    };
    const given = answer(path);
    const body = given === undefined ? own() : given;
    response.writeHead(body === null ? 404 : 200).end(body ?? '');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, asked, close: () => server.close() };
}

test('a file is right as far as it goes, and vouches for nobody', async () => {
  const { status, said } = await run('verify', FILE);
  assert.equal(status, 0, said);
  assert.match(said, /^Signed for board\.example\n/);
  assert.ok(said.includes('Somebody signed this line. Nobody says that this person did.'), said);
  assert.match(said, /No chain source was asked/);
});

test('a false file is status 1, and what is no proof is status 2', async () => {
  for (const [change, expected] of [
    [(proof) => (proof.statement.subject = '44196397'), 1],
    [(proof) => (proof.statement.name = '@famous'), 1],
    [(proof) => (proof.statement.block.header = `${proof.statement.block.header.slice(0, -2)}00`), 1],
    [(proof) => (proof.statement.block = null), 1],
    [(proof) => (proof.inputs[0].value_sats += 1), 1],
    [(proof) => delete proof.transaction, 2],
    [(proof) => (proof.statement.origin = 'nonsense'), 2],
  ]) {
    const { status, said } = await run('verify', changed(change));
    assert.equal(status, expected, `${change}: ${said}`);
  }
  for (const args of [[], ['verify'], ['verify', '/nowhere.json'], ['verify', FILE, '--nonsense'], ['sign', FILE]]) {
    assert.equal((await run(...args)).status, 2, args.join(' '));
  }
  assert.equal((await run('--help')).status, 0);
});

test('with --esplora the coins are looked up', async (t) => {
  const coin = PROOF.inputs[0].txid;
  for (const [answer, expected, words] of [
    [undefined, 0, /seen unspent at block 980000, as 127\.0\.0\.1/],
    [(path) => (path.includes(`${coin}/outspend`) ? '{"spent":true,"status":{"confirmed":true}}' : undefined), 1, /1 of 7 coins have been spent since/],
    [(path) => (path === `tx/${coin}` ? null : undefined), 1, /does not know the coin/],
    [(path) => (path === 'block-height/0' ? '00'.repeat(32) : undefined), 2, /another chain/],
    [(path) => (path.includes('/outspend/') ? '{}' : undefined), 2, /does not answer as Esplora does/],
  ]) {
    const source = await esplora(answer);
    t.after(source.close);
    const { status, said } = await run('verify', FILE, '--esplora', `${source.url}/`);
    assert.equal(status, expected, said);
    assert.match(said, words);
  }
});

test('with --json the answer is one object, whatever the result', async (t) => {
  const json = async (...args) => {
    const { status, said } = await run('verify', '--json', ...args);
    return { status, ...JSON.parse(said) };
  };
  const source = await esplora();
  t.after(source.close);
  const { host } = new URL(source.url);
  const facts = {
    signedFor: 'board.example',
    statement: PROOF.statement.text,
    name: '@satoshi',
    confirmed: false,
    network: 'mainnet',
    coins: 7,
    amountSats: '700000',
    validSignatures: 7,
  };
  assert.deepEqual(await json(FILE), { status: 0, result: 'right', reason: null, ...facts });
  const chain = { source: host, height: 980_000, signedAfter: null, spent: 0 };
  assert.deepEqual((await json(FILE, '--esplora', source.url)).chain, chain);
  const falsehood = await json(changed((proof) => (proof.statement.name = '@famous')));
  assert.deepEqual(falsehood, { status: 1, result: 'false', reason: 'The statement is false: other-statement.' });
  const unchecked = await json(READER_FILES[0]);
  assert.deepEqual([unchecked.status, unchecked.result, unchecked.words], [2, 'unchecked', WORDS]);
  assert.match(unchecked.reason, /the words were not compared/);
  assert.equal((await json(READER_FILES[0], '--reader-words', WORDS)).wordsAreYours, true);
  assert.equal((await json(READER_FILES[0], '--reader-words', 'Other Bank')).wordsAreYours, false);
});

/** A key of a log, and what it signs. */
async function log(name) {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const raw = Buffer.concat([Buffer.of(1), Buffer.from(await crypto.subtle.exportKey('raw', pair.publicKey))]);
  const id = createHash('sha256').update(`${name}\n`).update(raw).digest().subarray(0, 4);
  const sign = async (text) => {
    const signature = Buffer.from(await crypto.subtle.sign('Ed25519', pair.privateKey, Buffer.from(text)));
    return `${text}\n\u2014 ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`;
  };
  return { key: `${name}+${id.toString('hex')}+${raw.toString('base64')}`, sign };
}

/** Rule C13. */
test('only a note by a key of the board confirms a person', async () => {
  const { text: line, provider, subject, account_id: account } = PROOF.statement;
  const said = { origin: ORIGIN, line, provider, subject, account, name: '@famous', block: { height: 0, hash: BLOCK } };
  const text = (of) => `proof-of-reserves/proof-note/1\n${JSON.stringify(of)}\n`;
  const [board, later, other, elsewhere, longer] = await Promise.all(
    ['board.example/log', 'board.example/log/2', 'board.example/log', 'other.example/log', 'board.example/logs'].map(log),
  );
  const of = async (note, keys, proof = PROOF) => {
    const { claimed, note: found } = await checkProof({ ...proof, note }, proof.statement.origin, { keys });
    assert.equal(claimed.confirmed, found.is === 'valid', note);
    return found;
  };
  const note = await board.sign(text(said));
  const valid = { is: 'valid', name: '@famous' };
  assert.deepEqual(await of(note, [board.key]), valid);
  assert.deepEqual(await of(note, ['nonsense', other.key, board.key]), valid);
  assert.deepEqual(await of(await later.sign(text(said)), [board.key, `${later.key}\n`]), valid);
  for (const [changed, keys] of [
    [note, []],
    [note, [other.key]],
    [note, ['nonsense']],
    [undefined, [board.key]],
    [await elsewhere.sign(text(said)), [elsewhere.key]],
    [await longer.sign(text(said)), [longer.key]],
    // Nobody else signed it either.
    [await elsewhere.sign('another text\n'), [board.key]],
  ]) {
    assert.deepEqual(await of(changed, keys), { is: 'none' }, changed);
  }
  for (const changed of [
    '',
    note.slice(0, 40),
    note.slice(0, -1),
    note.replace('783214', '783215'),
    note.replace('@famous', '@satoshi'),
    `${note}no signature\n`,
    await board.sign('another text\n'),
    await board.sign(text(null)),
    await board.sign(text(said).replace('/1\n', '/2\n')),
    await board.sign(`${text(said)}\n`),
    await board.sign(`proof-of-reserves/proof-note/1\n${JSON.stringify(said, null, 1)}\n`),
    ...(await Promise.all(
      [
        { ...said, origin: 'https://evil.example' },
        { ...said, subject: '783215' },
        { ...said, line: `${line}a` },
        { ...said, account: '' },
        { ...said, name: 5 },
        { ...said, more: 1 },
        { ...said, block: null },
        { ...said, block: { height: 1, hash: BLOCK } },
      ].map((other) => board.sign(text(other))),
    )),
    // Each signature takes time.
    note + '\u2014 board.example/log AAAA\n'.repeat(500),
    `${note}\u2014 board.example/log AAAA\n`,
  ]) {
    assert.deepEqual(await of(changed, [board.key]), { is: 'false' }, changed);
  }
  const renamed = { ...PROOF, statement: { ...PROOF.statement, name: '@hal' } };
  const { claimed, note: found } = await checkProof({ ...renamed, note }, ORIGIN, { keys: [board.key] });
  assert.deepEqual([claimed.confirmed, found], [false, valid], 'the code commits to another name');
});

test('on one machine all its names and ports are the same host', async () => {
  const origin = 'http://localhost:8080';
  const proof = { ...PROOF, statement: { ...PROOF.statement, origin } };
  for (const [name, is] of [['127.0.0.1:8471/log', 'false'], ['127.0.0.1.example/log', 'none']]) {
    const { key, sign } = await log(name);
    assert.deepEqual((await checkProof({ ...proof, note: await sign('A line\n') }, origin, { keys: [key] })).note, { is });
  }
});

test('a note in a proof for one reader says nothing', async () => {
  const reader = JSON.parse(readFileSync(READER_FILES[0], 'utf8'));
  const { key, sign } = await log('reader/log');
  assert.deepEqual((await checkProof({ ...reader, note: await sign('A line\n') }, 'reader', { keys: [key] })).note, { is: 'none' });
});

const READER_FILES = ['message', 'transaction'].map((carrier) => new URL(`fixtures/reader-${carrier}.json`, import.meta.url).pathname);
const WORDS = 'Acme Bank, loan 4711 k3v9q2';

test('a proof for one reader is right only with the words that the reader gave', async () => {
  for (const file of READER_FILES) {
    for (const words of [WORDS, `  Acme\u00a0Bank,\n loan 4711   k3v9q2 `]) {
      const { status, said } = await run('verify', file, '--reader-words', words);
      assert.equal(status, 0, said);
      assert.match(said, /^Signed for one reader\n {2}"Proof of Reserves for:acme-bank-loan-4711-k3v~/);
      assert.match(said, /The words are the same as yours\./);
      assert.match(said, /The holder says they are "Mira Kowal"\. Nobody checked this name\./);
    }
    const { status, said } = await run('verify', file);
    assert.equal(status, 2, said);
    assert.match(said, /the words were not compared/);
  }
});

test('other words are status 1: look-alikes, case, another loan, a relayed challenge', async () => {
  for (const words of ['\u0410cme Bank, loan 4711 k3v9q2', 'acme Bank, loan 4711 k3v9q2', 'Acme Bank, loan 4712 k3v9q2', 'Other Bank, loan 4711 k3v9q2', 'AcmeBank, loan 4711 k3v9q2']) {
    const { status, said } = await run('verify', READER_FILES[0], '--reader-words', words);
    assert.equal(status, 1, words);
    assert.match(said, /different from the words that you gave/);
  }
  for (const words of ['', 'Acme\u200b Bank, loan 4711 k3v9q2']) {
    assert.equal((await run('verify', READER_FILES[0], '--reader-words', words)).status, 2, words);
  }
});

test('a proof of a board is not one for a reader, and the other way round', async () => {
  const { status, said } = await run('verify', FILE, '--reader-words', '783214');
  assert.equal(status, 1, said);
  assert.match(said, /It is for board\.example, not for one reader/);
  const reader = JSON.parse(readFileSync(READER_FILES[0], 'utf8'));
  assert.equal((await checkProof(reader, ORIGIN)).statement, 'other-board');
  assert.equal((await checkProof({ ...PROOF, statement: { ...PROOF.statement, origin: 'reader' } }, 'reader')).statement, 'other-statement');
});

/** The code of the first version (src/statement.rs). */
function undatedCode({ origin, provider, subject, account_id: account, nonce }) {
  const hash = createHash('sha256');
  for (const field of ['proof-of-reserves/statement/1', origin, provider, subject, account, Buffer.from(nonce, 'hex')]) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(field));
    hash.update(length).update(field);
  }
  let bits = BigInt(`0x${hash.digest('hex')}`) >> 156n;
  let code = '';
  for (let at = 0; at < 20; at += 1, bits >>= 5n) code = 'abcdefghijklmnopqrstuvwxyz234567'[Number(bits & 31n)] + code;
  return code;
}

test('of a proof for one reader nothing can be changed, and it needs a block', async () => {
  const reader = JSON.parse(readFileSync(READER_FILES[1], 'utf8'));
  for (const change of [
    { subject: 'Other Bank k3v9q2' },
    { subject: `${WORDS} ` },
    { name: 'Eve' },
    { name: 'Eve', account_id: 'Eve' },
    { account_id: 'Eve' },
    { provider: 'github' },
    { nonce: '00'.repeat(16) },
    { block: null },
    { block: { ...reader.statement.block, header: `${reader.statement.block.header.slice(0, -2)}00` } },
    // A statement of the first version, which commits to no block, with its right code.
    { block: null, text: `Proof of Reserves  acme ${undatedCode(reader.statement)}` },
  ]) {
    const check = await checkProof({ ...reader, statement: { ...reader.statement, ...change } }, 'reader');
    assert.equal(check.statement, 'other-statement', JSON.stringify(change));
  }
});

test('a proof for one reader is dated by the chain, and old after 4,032 blocks', async (t) => {
  for (const [tip, hash, words, expected = 0] of [
    ['981487', BLOCK, /Signed after block 977455 \(2009-01-03\)\.\nThe coins/],
    ['981488', BLOCK, /Old: 4033 blocks came since/],
    ['980000', '00'.repeat(32), /Not dated[^]*nothing shows when it was signed/, 2],
  ]) {
    const source = await esplora((path) => ({ 'blocks/tip/height': tip, 'block-height/977455': hash })[path]);
    t.after(source.close);
    const { status, said } = await run('verify', READER_FILES[1], '--reader-words', WORDS, '--esplora', source.url);
    assert.equal(status, expected, said);
    assert.match(said, words);
  }
});
