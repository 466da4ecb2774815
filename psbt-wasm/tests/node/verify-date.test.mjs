// `psbt-wasm verify` at a date, of several files, and with every key.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const CLI = new URL('../../pkg/cli.js', import.meta.url).pathname;
const path = (name) => new URL(`fixtures/${name}`, import.meta.url).pathname;
const [MESSAGE, STILL, MULTISIG] = ['reader-message.json', 'reader-transaction.json', 'reader-multisig.json'].map(path);
const WORDS = 'Acme Bank, loan 4711 k3v9q2';
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const PROOFS = [MESSAGE, STILL, MULTISIG].map(read);
const { height: BLOCK } = PROOFS[0].statement.block;
const BLOCK_HASH = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
const GENESIS = {
  mainnet: BLOCK_HASH,
  regtest: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
};

/** Blocks come every ten minutes; that of the proofs at this instant. */
const START = Date.parse('2026-11-20T00:00:00Z') / 1000;
const timeOf = (height) => START + 600 * (height - BLOCK);
const TIP = BLOCK + 1_000;

/** The instant of a block, as text in UTC. */
const instant = (height) => new Date(timeOf(height) * 1000).toISOString().replace('.000', '');
/** Bounds of the dates below: the median is five blocks behind. */
const LOWER = BLOCK + 500;
const UPPER = LOWER + 5;
const AT = instant(LOWER);

const run = (...args) =>
  new Promise((resolve) => {
    execFile(process.execPath, [CLI, 'verify', ...args], (error, stdout, stderr) => resolve({ status: error?.code ?? 0, said: stdout + stderr }));
  });
const json = async (...args) => {
  const { status, said } = await run('--json', ...args);
  return { status, ...JSON.parse(said) };
};

function written(proof) {
  const file = join(mkdtempSync(join(tmpdir(), 'verify-')), 'proof.json');
  writeFileSync(file, JSON.stringify(proof));
  return file;
}

const hashOf = (height) => (height === BLOCK ? BLOCK_HASH : createHash('sha256').update(String(height)).digest('hex'));

/**
 * An Esplora server on which all coins of the fixtures were funded long before. `change` gives another answer for a path: an object for JSON,
 * a number for a status.
 */
async function esplora(t, change = () => undefined, network = 'mainnet') {
  const asked = [];
  const coins = PROOFS.flatMap(({ inputs }) => inputs);
  const blockAt = (height) => ({ id: hashOf(height), height, timestamp: timeOf(height), mediantime: timeOf(Math.max(0, height - 5)) });
  const own = (path) => {
    if (path === 'block-height/0') return GENESIS[network];
    if (path === 'blocks/tip/height') return String(TIP);
    const [, height] = /^block-height\/(\d+)$/.exec(path) ?? [];
    if (height) return hashOf(Number(height));
    const [, from] = /^blocks\/(\d+)$/.exec(path) ?? [];
    if (from) return Array.from({ length: Math.min(10, Number(from) + 1) }, (_, at) => blockAt(Number(from) - at));
    if (path.includes('/outspend/')) return { spent: false };
    const txid = path.slice('tx/'.length);
    const vout = [];
    for (const coin of coins.filter((coin) => coin.txid === txid)) vout[coin.vout] = { value: coin.value_sats, scriptpubkey: coin.script_pubkey };
    return { vout, status: { confirmed: true, block_height: BLOCK - 1_000 } };
  };
  const server = createServer((request, response) => {
    const path = request.url.slice(1);
    asked.push(path);
    const answer = change(path, asked) ?? own(path);
    if (typeof answer === 'number') response.writeHead(answer, { 'retry-after': '0' }).end();
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${server.address().port}`, asked };
}

const at = (source, ...more) => ['--request', WORDS, '--at', AT, '--esplora', source.url, ...more];

test('at a date the coins that stood are the sum', async (t) => {
  const source = await esplora(t);
  const { status, said } = await run(STILL, ...at(source));
  assert.equal(status, 0, said);
  assert.match(said, new RegExp(`At ${AT}, which is 2026-11-23 11:20:00 UTC:`));
  assert.match(said, new RegExp(`from block ${LOWER} \\(time 2026-11-23 11:20:00 UTC, median time past 2026-11-23 10:30:00 UTC\\) to block ${UPPER} `));
  assert.match(said, /At least 0\.00700000 BTC in 7 coins stood at the date\. Existence and control at the date\./);
  assert.match(said, /not completeness, debts or sole control/);
  assert.doesNotMatch(said, /balance/i);
  const { date, sha256, result } = await json(STILL, ...at(source));
  assert.equal(result, 'right');
  assert.equal(sha256, createHash('sha256').update(readFileSync(STILL)).digest('hex'));
  assert.deepEqual([date.lower.height, date.upper.height, date.settled, date.control, date.stoodSats], [LOWER, UPPER, true, 'by-the-date', '700000']);
  assert.deepEqual(date.coins[0].state, 'stood');
});

/** The first coin has another history. */
const history = (funded, spent) => {
  const [coin] = PROOFS[1].inputs;
  return (path) => {
    if (path === `tx/${coin.txid}`) {
      const vout = [];
      vout[coin.vout] = { value: coin.value_sats, scriptpubkey: coin.script_pubkey };
      return { vout, status: funded === null ? { confirmed: false } : { confirmed: true, block_height: funded } };
    }
    return path === `tx/${coin.txid}/outspend/${coin.vout}` && spent !== undefined ? { spent: true, status: { confirmed: true, block_height: spent } } : undefined;
  };
};

test('a coin that did not stand is listed, not counted', async (t) => {
  const old = BLOCK - 1_000;
  for (const [funded, spent, state, expected] of [
    [LOWER, undefined, 'stood', 0],
    [LOWER + 1, undefined, 'funded-between', 0],
    [UPPER + 1, undefined, 'funded-later', 0],
    [null, undefined, 'unconfirmed', 0],
    [old, BLOCK, 'spent-before', 0],
    [old, LOWER, 'spent-before', 0],
    [old, UPPER, 'spent-between', 0],
    [old, UPPER + 1, 'spent-since', 0],
    // The source does not say when.
    [old, null, 'unknown', 2],
  ]) {
    const source = await esplora(t, history(funded, spent));
    const { status, date, reason } = await json(STILL, ...at(source));
    assert.deepEqual([status, date.coins[0].state], [expected, state], reason);
    assert.equal(date.stoodSats, state === 'stood' ? '700000' : '600000');
    assert.equal(date.sinceSats, state === 'spent-since' ? '100000' : '0');
  }
  // A date before the proof's block: the coin must have outlived that.
  const earlier = ['--request', WORDS, '--at', instant(BLOCK - 100)];
  for (const [spent, state] of [[BLOCK - 50, 'spent-before-signing'], [BLOCK, 'spent-before-signing'], [BLOCK + 1, 'spent-since']]) {
    const source = await esplora(t, history(old, spent));
    const { status, date } = await json(STILL, ...earlier, '--esplora', source.url);
    assert.deepEqual([status, date.coins[0].state, date.control], [0, state, 'later']);
  }
});

test('a date that nothing can be said about is not right', async (t) => {
  const source = await esplora(t);
  const of = async (instant) => {
    const { status, reason, date } = await json(STILL, '--request', WORDS, '--at', instant, '--esplora', source.url);
    return { status, reason, date };
  };
  for (const future of ['2100-01-01T00:00:00Z', instant(TIP), instant(TIP - 10)]) {
    const { status, reason } = await of(future);
    assert.equal(status, 2);
    assert.match(reason, /in the future, or has fewer than six blocks above it/);
  }
  assert.equal((await of(instant(TIP - 11))).status, 0);
  const early = await of('1970-01-01T00:00:00Z');
  assert.equal(early.status, 1);
  assert.match(early.reason, /no coin of it was there/);
  for (const text of ['2026-11-24T00:00:00', '2026-11-24', '2026-11-24T00:00:00 CET']) {
    const { status, reason } = await of(text);
    assert.equal(status, 2);
    assert.match(reason, /^--at: The date/);
  }
});

test('a block that is replaced meanwhile is looked up again', async (t) => {
  let replaced = 0;
  const source = await esplora(t, (path) => {
    if (path !== `block-height/${UPPER}` || replaced === 1) return undefined;
    replaced += 1;
    return '00'.repeat(32);
  });
  assert.equal((await run(STILL, ...at(source))).status, 0);
  assert.equal(replaced, 1);
  const restless = await esplora(t, (path) => (path === `block-height/${LOWER}` ? '00'.repeat(32) : undefined));
  const { status, reason } = await json(STILL, ...at(restless));
  assert.equal(status, 2);
  assert.match(reason, /replaced blocks again and again/);
});

test('two sources must say the same', async (t) => {
  const one = await esplora(t);
  const other = await esplora(t);
  const differs = await esplora(t, history(BLOCK - 1_000, LOWER));
  const both = await run(STILL, ...at(one, '--esplora', other.url));
  assert.equal(both.status, 0, both.said);
  assert.match(both.said, /say the same/);
  const { status, said } = await run(STILL, ...at(one, '--esplora', differs.url));
  assert.equal(status, 2);
  assert.match(said, /disagree about its coins or blocks/);
  const now = await run(STILL, '--request', WORDS, '--esplora', one.url, '--esplora', differs.url);
  assert.equal(now.status, 2, now.said);
});

test('a server that wants fewer requests is waited for, and one without lists of blocks is asked one by one', async (t) => {
  const refused = new Set();
  // Each once, in whatever order they come.
  const busy = await esplora(t, (path) => (path.startsWith('tx/') && refused.size < refused.add(path).size ? 429 : undefined));
  assert.equal((await run(STILL, ...at(busy))).status, 0);
  const heights = new Map();
  const single = await esplora(t, (path) => {
    if (/^blocks\/\d+$/.test(path)) return 404;
    const [, height] = /^block-height\/(\d+)$/.exec(path) ?? [];
    heights.set(`block/${hashOf(Number(height))}`, Number(height));
    const own = heights.get(path);
    return own === undefined ? undefined : { id: hashOf(own), height: own, timestamp: timeOf(own), mediantime: timeOf(Math.max(0, own - 5)) };
  });
  const { status, said } = await run(STILL, '--request', WORDS, '--at', instant(TIP - 20), '--esplora', single.url);
  assert.equal(status, 0, said);
});

test('every key that signed is said, and a wrong one makes the file false', async (t) => {
  const source = await esplora(t, undefined, 'regtest');
  const { status, said } = await run(MULTISIG, ...at(source));
  assert.equal(status, 0, said);
  assert.match(said, /Keys 1, 2 and 3 of 3 signed; 2 keys are needed: 2 coins\./);
  const proof = read(MULTISIG);
  proof.further_signatures[0].signature = proof.further_signatures[1].signature;
  const wrong = await run(written(proof), ...at(source));
  assert.equal(wrong.status, 1);
  assert.match(wrong.said, /A signature that no script needs is wrong: wrong-signature/);
});

test('several files have one verdict and one sum for each name', async (t) => {
  const source = await esplora(t);
  for (const order of [[MESSAGE, STILL], [STILL, MESSAGE]]) {
    // The two files name the same coins.
    const { status, result, reason, shared, names, files } = await json(...order, ...at(source));
    assert.deepEqual([status, result, shared.length, files.length], [2, 'unchecked', 7, 2]);
    assert.match(reason, /names a coin that another file names as well/);
    assert.deepEqual(names, [{ name: 'Mira Kowal', files: [0, 1], coinCount: 7, amountSats: '700000' }]);
  }
  const twice = await json(STILL, STILL, ...at(source));
  assert.deepEqual([twice.status, /is there twice/.test(twice.reason)], [2, true]);
  for (const [file, reason] of [
    [MULTISIG, /another network/],
    [path('published-transaction.json'), /is false/],
    ['/nowhere.json', /could be checked/],
    [written({ ...read(STILL), network: 'testnet4' }), /is false/],
  ]) {
    const found = await json(STILL, file, ...at(source));
    assert.notEqual(found.status, 0);
    assert.equal(found.amountSats, null);
    assert.ok(found.names.every(({ amountSats }) => amountSats === null));
    assert.match(found.reason, reason);
  }
  const spent = await esplora(t, (path) => (path.includes('/outspend/') ? { spent: true, status: { confirmed: true, block_height: LOWER } } : undefined));
  assert.equal((await json(STILL, MESSAGE, ...at(spent))).status, 1);
  const many = await json(...Array.from({ length: 21 }, () => STILL), ...at(source));
  assert.deepEqual([many.status, many.reason], [2, 'at most 20 files and 5,000 coins can be checked together.']);
});

test('each transaction is looked up once, whatever the number of files', async (t) => {
  const source = await esplora(t);
  await run(STILL, MESSAGE, ...at(source));
  const transactions = source.asked.filter((path) => path.startsWith('tx/'));
  assert.equal(new Set(transactions).size, transactions.length);
});
