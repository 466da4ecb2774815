// `psbt-wasm verify`, and the board's note.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
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

const check = (proof, origin, options) => checkProof(JSON.stringify(proof), origin, options);

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

/** Without a chain, coins can be invented: the network, the block and the amounts are what the file states. */
test('without a chain source nothing is right, and nobody is vouched for', async () => {
  const { status, said } = await run('verify', FILE);
  assert.equal(status, 2, said);
  assert.match(said, /^Signed for board\.example\n/);
  assert.ok(said.includes('Somebody signed this line. Nobody says that this person did.'), said);
  assert.match(said, /Stated, not looked up: 0\.00700000 BTC in 7 coins\./);
  for (const file of READER_FILES) {
    const { status, said } = await run('verify', file, '--request', WORDS);
    assert.equal(status, 2, said);
    assert.match(said, /stated, not looked up/);
  }
});

test('errors are sentences for people', async (t) => {
  const source = await esplora((path) => (path.startsWith('tx/') ? 'no JSON' : undefined));
  t.after(source.close);
  for (const [args, words] of [
    [['/nowhere.json'], /the file "\/nowhere\.json" cannot be read/],
    [[changed((proof) => delete proof.network)], /This is not a proof file/],
    [[changed((proof) => (proof.statement = null))], /This is not a proof file.*statement/],
    [[changed((proof) => (proof.statement.origin = 'nonsense'))], /The statement is false/],
    [[FILE, '--esplora', 'nonsense'], /--esplora is no address: "nonsense"/],
    [[FILE, '--esplora', 'file:///etc/passwd'], /--esplora is no address/],
    [[FILE, '--esplora', 'http://127.0.0.1:1'], /127\.0\.0\.1:1 does not answer/],
    [[FILE, '--esplora', source.url], /does not answer as Esplora does/],
    [[READER_FILES[0], '--request', 'a\ufffcb'], /--request: These words cannot be used/],
  ]) {
    const { status, said } = await run('verify', ...args);
    assert.notEqual(status, 0, said);
    assert.match(said, words);
    assert.doesNotMatch(said, /Invalid URL|undefined|ENOENT|fetch failed|JSON at|Unexpected|\bat \S+:\d+/);
  }
});

test('a file may come from standard input', () => {
  const { status, stdout } = spawnSync(process.execPath, [CLI, 'verify', '-'], { encoding: 'utf8', input: readFileSync(FILE) });
  // The coins were not looked up.
  assert.equal(status, 2, stdout);
  assert.match(stdout, /^Signed for board\.example\n/);
});

test('a false file is status 1, and what is no proof is status 2', async () => {
  for (const [change, expected] of [
    [(proof) => (proof.statement.subject = '44196397'), 1],
    [(proof) => (proof.statement.name = '@famous'), 1],
    [(proof) => (proof.statement.block.header = `${proof.statement.block.header.slice(0, -2)}00`), 1],
    [(proof) => (proof.statement.block = null), 2],
    [(proof) => (proof.network = 'testnet4'), 1],
    [(proof) => (proof.network = 'bitcoin'), 2],
    [(proof) => (proof.more = 1), 2],
    [(proof) => (proof.profile.id = proof.id), 1],
    [(proof) => (proof.inputs[0].value_sats += 1), 1],
    [(proof) => delete proof.transaction, 2],
    [(proof) => (proof.statement.origin = 'nonsense'), 1],
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
  const { key, sign } = await log('board.example/log');
  const note = await sign(noteText(await contentOf(PROOF)));
  const file = changed((proof) => Object.assign(proof, { note }));
  for (const [answer, expected, words] of [
    [undefined, 0, /says that this person did: "@famous"[^]*seen unspent at block 980000, as 127\.0\.0\.1/],
    [(path) => (path.includes(`${coin}/outspend`) ? '{"spent":true,"status":{"confirmed":true}}' : undefined), 1, /1 of 7 coins have been spent since/],
    [(path) => (path === `tx/${coin}` ? null : undefined), 1, /does not know the coin/],
    [(path) => (path === 'block-height/0' ? '00'.repeat(32) : undefined), 2, /another chain/],
    [(path) => (path.includes('/outspend/') ? '{}' : undefined), 2, /does not answer as Esplora does/],
  ]) {
    const source = await esplora(answer);
    t.after(source.close);
    const { status, said } = await run('verify', file, '--esplora', `${source.url}/`, '--key', key);
    assert.equal(status, expected, said);
    assert.match(said, words);
  }
});

/** Who signed for each coin of the fixture. */
const CONDITIONS = [
  ['One key, which signed'],
  ['Keys 1 and 2 of 3 signed; 2 keys are needed'],
  ['One key, which signed', 2],
  ['Keys 1 and 2 of 3 signed; 2 keys are needed'],
  ['Who can spend cannot be seen in the script'],
  ['One key, which signed; other ways to spend cannot be seen'],
].flatMap(([words, count = 1]) => new Array(count).fill(words));

test('with --json the answer is one object, whatever the result', async (t) => {
  const json = async (...args) => {
    const { status, said } = await run('verify', '--json', ...args);
    return { status, ...JSON.parse(said) };
  };
  const source = await esplora();
  t.after(source.close);
  const { host } = new URL(source.url);
  const stated = 'the coins are stated, not looked up. Use --esplora URL.';
  const facts = {
    signedFor: 'board.example',
    statement: PROOF.statement.text,
    name: '@satoshi',
    confirmed: false,
    network: 'mainnet',
    coins: 7,
    amountSats: '700000',
    sha256: createHash('sha256').update(readFileSync(FILE)).digest('hex'),
    validSignatures: 7,
    conditions: CONDITIONS,
  };
  assert.deepEqual(await json(FILE), { status: 2, result: 'unchecked', reason: stated, ...facts });
  const chain = { source: host, height: 980_000, signedAfter: null, spent: 0 };
  const unnamed = 'the person is stated, not confirmed. Use --key KEY, with what board.example serves at /log/key.';
  assert.deepEqual(await json(FILE, '--esplora', source.url), { status: 2, result: 'unchecked', reason: unnamed, ...facts, chain });
  const { key, sign } = await log('board.example/log');
  const note = await sign(noteText(await contentOf(PROOF)));
  const file = changed((proof) => Object.assign(proof, { note }));
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  assert.deepEqual(await json(file, '--esplora', source.url, '--key', key), { status: 0, result: 'right', reason: null, ...facts, sha256, confirmed: true, chain });
  const falsehood = await json(changed((proof) => (proof.statement.name = '@famous')));
  assert.deepEqual(falsehood, { status: 1, result: 'false', reason: 'The statement is false: other-statement.' });
  const unchecked = await json(READER_FILES[0]);
  assert.deepEqual([unchecked.status, unchecked.result, unchecked.request], [2, 'unchecked', WORDS]);
  assert.equal((await json(READER_FILES[0], '--request', WORDS)).requestIsYours, true);
  assert.equal((await json(READER_FILES[0], '--request', 'Other Bank')).requestIsYours, false);
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

/** The text of a board's note on a proof. */
async function contentOf(proof) {
  const { block, transactionSha256, previousOutputsSha256 } = await check(proof, proof.statement.origin);
  const { origin, text: line, provider, subject, account_id: account } = proof.statement;
  const { height, hash } = block;
  const [transaction_sha256, previous_outputs_sha256] = [transactionSha256, previousOutputsSha256];
  return { network: proof.network, origin, line, provider, subject, account, name: '@famous', block: { height, hash }, transaction_sha256, previous_outputs_sha256 };
}

const noteText = (said) => `proof-of-reserves/proof-note/2\n${JSON.stringify(said)}\n`;

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');

test('the hashes of a note are those of the published bytes', async () => {
  const said = await contentOf(PROOF);
  assert.equal(said.transaction_sha256, sha256(Buffer.from(PROOF.transaction, 'hex')));
  const outputs = PROOF.inputs.map(({ value_sats: sats, script_pubkey: script }) => {
    const bytes = Buffer.alloc(9);
    bytes.writeBigUInt64LE(BigInt(sats));
    bytes[8] = script.length / 2;
    return Buffer.concat([bytes, Buffer.from(script, 'hex')]);
  });
  assert.equal(said.previous_outputs_sha256, sha256(...outputs));
});

/** Rule C13. */
test('only a note by a key of the board confirms a person', async () => {
  const { text: line } = PROOF.statement;
  const said = await contentOf(PROOF);
  const text = noteText;
  const [board, later, other, elsewhere, longer] = await Promise.all(
    ['board.example/log', 'board.example/log/2', 'board.example/log', 'other.example/log', 'board.example/logs'].map(log),
  );
  const of = async (note, keys, proof = PROOF) => {
    const { claimed, note: found } = await check({ ...proof, note }, proof.statement.origin, { keys });
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
    [note, ['nonsense']],
    [await elsewhere.sign(text(said)), [elsewhere.key]],
    [await longer.sign(text(said)), [longer.key]],
    // No other key signed it either.
    [await elsewhere.sign('another text\n'), [board.key]],
  ]) {
    assert.deepEqual(await of(changed, keys), { is: 'none' }, changed);
  }
  // By a key that the board has replaced, or that a user made up.
  assert.deepEqual(await of(note, [other.key]), { is: 'other-key' });
  for (const changed of [
    '',
    note.slice(0, 40),
    note.slice(0, -1),
    note.replace('783214', '783215'),
    note.replace('@famous', '@satoshi'),
    `${note}no signature\n`,
    await board.sign('another text\n'),
    await board.sign(text(null)),
    await board.sign(text(said).replace('/2\n', '/1\n')),
    await board.sign(`${text(said)}\n`),
    await board.sign(`proof-of-reserves/proof-note/2\n${JSON.stringify(said, null, 1)}\n`),
    ...(await Promise.all(
      [
        { ...said, network: 'testnet4' },
        { ...said, origin: 'https://evil.example' },
        { ...said, subject: '783215' },
        { ...said, line: `${line}a` },
        { ...said, account: '' },
        { ...said, name: 5 },
        { ...said, more: 1 },
        { ...said, block: null },
        { ...said, block: { height: 1, hash: BLOCK } },
        { ...said, transaction_sha256: '00'.repeat(32) },
        { ...said, previous_outputs_sha256: '00'.repeat(32) },
      ].map((other) => board.sign(text(other))),
    )),
    // Each signature takes time.
    note + '\u2014 board.example/log AAAA\n'.repeat(500),
    `${note}\u2014 board.example/log AAAA\n`,
  ]) {
    assert.deepEqual(await of(changed, [board.key]), { is: 'false' }, changed);
  }
  const renamed = { ...PROOF, statement: { ...PROOF.statement, name: '@hal' } };
  const { claimed, note: found } = await check({ ...renamed, note }, ORIGIN, { keys: [board.key] });
  assert.deepEqual([claimed.confirmed, found], [false, valid], 'the code commits to another name');
});

/** Eve puts coins of her own under Alice's public line, and keeps the note. Each fixture carries the same line. */
test('a note vouches for nothing but what was signed', async (t) => {
  const [message, still] = ['message', 'transaction'].map((name) => JSON.parse(readFileSync(new URL(`fixtures/published-${name}.json`, import.meta.url), 'utf8')));
  const { key, sign } = await log('board.example/log');
  const source = await esplora();
  t.after(source.close);
  for (const [alice, eve] of [[message, still], [still, message]]) {
    assert.deepEqual(alice.statement, eve.statement);
    const note = await sign(noteText(await contentOf(alice)));
    const own = await run('verify', changed((proof) => Object.assign(proof, alice, { note })), '--key', key, '--esplora', source.url);
    assert.equal(own.status, 0, own.said);
    assert.match(own.said, /board\.example says that this person did: "@famous"/);
    const forged = await run('verify', changed((proof) => Object.assign(proof, eve, { note })), '--key', key, '--esplora', source.url);
    assert.equal(forged.status, 1, forged.said);
    assert.match(forged.said, /The note in it is not the note of board\.example on this proof/);
    assert.doesNotMatch(forged.said, /says that this person did: /);
    // Signatures of old scripts commit to no amount.
    const richer = structuredClone(alice);
    const coin = richer.inputs.findIndex(({ script_pubkey: script }) => script.startsWith('76a914'));
    richer.inputs.at(coin).value_sats += 1;
    assert.equal((await check({ ...richer, note }, ORIGIN, { keys: [key] })).claimed.confirmed, false);
  }
});

test('a note by a replaced key confirms nobody', async (t) => {
  const [old, current] = [await log('board.example/log'), await log('board.example/log')];
  const source = await esplora();
  t.after(source.close);
  const note = await old.sign(noteText(await contentOf(PROOF)));
  const file = changed((proof) => Object.assign(proof, { note }));
  const { status, said } = await run('verify', file, '--key', current.key, '--esplora', source.url);
  assert.equal(status, 2, said);
  assert.match(said, /Nobody says that this person did/);
  assert.match(said, /The board has changed its key since: fetch the file again/);
});

test('on one machine all its names and ports are the same host', async () => {
  const origin = 'http://localhost:8080';
  const proof = { ...PROOF, statement: { ...PROOF.statement, origin } };
  for (const [name, is] of [['127.0.0.1:8471/log', 'false'], ['127.0.0.1.example/log', 'none']]) {
    const { key, sign } = await log(name);
    assert.deepEqual((await check({ ...proof, note: await sign('A line\n') }, origin, { keys: [key] })).note, { is });
  }
});

test('a proof for one reader has no member of a board', async () => {
  const reader = JSON.parse(readFileSync(READER_FILES[0], 'utf8'));
  for (const more of [{ note: '' }, { id: PROOF.id }, { profile: PROOF.profile }]) {
    await assert.rejects(check({ ...reader, ...more }, 'reader'), { code: 'malformed-proof' });
  }
});

const READER_FILES = ['message', 'transaction'].map((carrier) => new URL(`fixtures/reader-${carrier}.json`, import.meta.url).pathname);
const WORDS = 'Acme Bank, loan 4711 k3v9q2';

test('a proof for one reader is right only with the request that the reader gave', async (t) => {
  const source = await esplora((path) => ({ 'blocks/tip/height': '978000', 'block-height/977455': BLOCK })[path]);
  t.after(source.close);
  for (const file of READER_FILES) {
    for (const words of [WORDS, `  Acme\u00a0Bank,\n loan 4711   k3v9q2 `]) {
      const { status, said } = await run('verify', file, '--request', words, '--esplora', source.url);
      assert.equal(status, 0, said);
      assert.match(said, /^Signed for one reader\n {2}"Proof of Reserves for:acme-bank-loan-4711-k3v~/);
      assert.match(said, /The request is the same as yours\./);
      assert.match(said, /The holder says they are "Mira Kowal"\. Nobody checked this name\./);
    }
    const { status, said } = await run('verify', file, '--esplora', source.url);
    assert.equal(status, 2, said);
    assert.match(said, /the request was not compared/);
  }
});

test('other words are status 1: look-alikes, case, another loan, a relayed challenge', async () => {
  for (const words of ['\u0410cme Bank, loan 4711 k3v9q2', 'acme Bank, loan 4711 k3v9q2', 'Acme Bank, loan 4712 k3v9q2', 'Other Bank, loan 4711 k3v9q2', 'AcmeBank, loan 4711 k3v9q2']) {
    const { status, said } = await run('verify', READER_FILES[0], '--request', words);
    assert.equal(status, 1, words);
    assert.match(said, /different from the one that you gave/);
  }
  for (const words of ['', 'Acme\u200b Bank, loan 4711 k3v9q2']) {
    assert.equal((await run('verify', READER_FILES[0], '--request', words)).status, 2, words);
  }
});

test('a proof of a board is not one for a reader, and the other way round', async () => {
  const { status, said } = await run('verify', FILE, '--request', '783214');
  assert.equal(status, 1, said);
  assert.match(said, /It is for board\.example, not for one reader/);
  const reader = JSON.parse(readFileSync(READER_FILES[0], 'utf8'));
  assert.equal((await check(reader, ORIGIN)).statement, 'other-board');
  const asReader = { ...PROOF, statement: { ...PROOF.statement, origin: 'reader' } };
  await assert.rejects(check(asReader, 'reader'), { code: 'malformed-proof' });
});

test('of a proof for one reader nothing can be changed', async () => {
  const reader = JSON.parse(readFileSync(READER_FILES[1], 'utf8'));
  for (const change of [
    { subject: 'Other Bank k3v9q2' },
    { subject: `${WORDS} ` },
    { name: 'Eve' },
    { name: 'Eve', account_id: 'Eve' },
    { account_id: 'Eve' },
    { provider: 'github' },
    { nonce: '00'.repeat(16) },
    { block: { ...reader.statement.block, header: `${reader.statement.block.header.slice(0, -2)}00` } },
  ]) {
    const { statement } = await check({ ...reader, statement: { ...reader.statement, ...change } }, 'reader');
    assert.equal(statement, 'other-statement', JSON.stringify(change));
  }
});

test('a proof for one reader is dated by the chain, too new below 6 blocks and old after 4,032', async (t) => {
  for (const [tip, hash, words, expected = 0] of [
    ['977454', BLOCK, /too new: its block has -1 of 6 blocks above it/, 2],
    ['977460', BLOCK, /too new: its block has 5 of 6 blocks above it/, 2],
    ['977461', BLOCK, /Signed after block 977455 \(2009-01-03\)\.\n/],
    ['981487', BLOCK, /Signed after block 977455 \(2009-01-03\)\.\n/],
    ['981488', BLOCK, /it is old: 4033 blocks came since/, 2],
    ['980000', '00'.repeat(32), /Not dated[^]*nothing shows when it was signed/, 2],
  ]) {
    const source = await esplora((path) => ({ 'blocks/tip/height': tip, 'block-height/977455': hash })[path]);
    t.after(source.close);
    const { status, said } = await run('verify', READER_FILES[1], '--request', WORDS, '--esplora', source.url);
    assert.equal(status, expected, said);
    assert.match(said, words);
  }
});

/** Each member of a file, by its path in the list of server/docs/proofs.md: with a value that differs, and is well-formed. */
const OTHERS = {
  network: (file) => (file.network = 'testnet4'),
  binding: (file) => (file.binding = 'message'),
  'statement.text': ({ statement }) => (statement.text = statement.text.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))),
  'statement.origin': ({ statement }) => (statement.origin = 'https://other.example'),
  'statement.provider': ({ statement }) => (statement.provider += 'x'),
  'statement.subject': ({ statement }) => (statement.subject += 'x'),
  'statement.account_id': ({ statement }) => (statement.account_id += 'x'),
  'statement.name': ({ statement }) => (statement.name += 'x'),
  'statement.nonce': ({ statement }) => (statement.nonce = '00'.repeat(16)),
  'statement.block.height': ({ statement }) => (statement.block.height += 1),
  'statement.block.header': ({ statement }) => (statement.block.header = '00'.repeat(80)),
  transaction: (file) => (file.transaction = `03${file.transaction.slice(2)}`),
  'inputs.txid': ({ inputs }) => (inputs[0].txid = '00'.repeat(32)),
  'inputs.vout': ({ inputs }) => (inputs[0].vout += 1),
  'inputs.value_sats': ({ inputs }) => (inputs[0].value_sats += 1),
  'inputs.script_pubkey': ({ inputs }) => (inputs[0].script_pubkey = '51'),
  'further_signatures.input': ({ further_signatures: all }) => (all[0].input = 1),
  'further_signatures.public_key': ({ further_signatures: all }) => (all[0].public_key = all[1].public_key),
  'further_signatures.signature': ({ further_signatures: all }) => (all[0].signature = all[1].signature),
  'inputs.counts': ({ inputs }) => (inputs[0].counts = false),
  'profile.id': ({ profile }) => (profile.id = profile.id.replace('1', '2')),
  'profile.provider': ({ profile }) => (profile.provider = 'github'),
  'profile.username': ({ profile }) => (profile.username = 'hal'),
  'profile.named': ({ profile }) => (profile.named = false),
  note: (file) => (file.note = file.note.replace('@famous', '@hal')),
  id: (file) => (file.id = file.id.replace('a', 'b')),
  created_at: (file) => (file.created_at = '2026-11-01T12:00:00Z'),
  expires_at: (file) => (file.expires_at = '2027-11-01T12:00:00Z'),
  published_at: (file) => (file.published_at = '2026-12-01T12:00:00Z'),
};

/** The paths of all members; those of the items of a list are the same. */
const membersOf = (value, path = '') => {
  if (Array.isArray(value)) return value.flatMap((item) => membersOf(item, path));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => membersOf(member, path ? `${path}.${name}` : name));
};

test('every member is signed, recomputed or called stated', async () => {
  const page = readFileSync(new URL('../../../server/docs/proofs.md', import.meta.url), 'utf8');
  const rows = Array.from(page.matchAll(/^\| `([a-z_.]+)` \| (\S+) \| (\S+) \|$/gm), ([, member, board, reader]) => [member, { board, reader }]);
  const list = Object.fromEntries(rows);
  const { key, sign } = await log('board.example/log');
  const board = { ...PROOF, note: await sign(noteText(await contentOf(PROOF))) };
  const reader = JSON.parse(readFileSync(new URL('fixtures/reader-multisig.json', import.meta.url), 'utf8'));
  for (const [kind, file] of Object.entries({ board, reader })) {
    const members = Array.from(new Set(membersOf(file))).toSorted();
    const listed = Object.keys(list).filter((member) => list[member][kind] !== '–');
    assert.deepEqual(members, listed.toSorted(), 'the list in server/docs/proofs.md has every member');
    const judged = async (given) => {
      const found = await check(given, file.statement.origin, { keys: [key] }).catch(() => null);
      return Boolean(found?.complete && (kind === 'reader' || found.claimed.confirmed));
    };
    assert.equal(await judged(file), true);
    for (const member of members) {
      const changed = structuredClone(file);
      OTHERS[member](changed);
      assert.notDeepEqual(changed, file);
      assert.equal(await judged(changed), list[member][kind] === 'stated', `${kind}: ${member}`);
    }
  }
});
