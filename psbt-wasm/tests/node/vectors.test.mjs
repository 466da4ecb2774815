// The command `psbt-wasm vectors`. How its cases are made: tests/behavior/conformance.rs. Other implementations: conformance.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { verifyMessage } from 'psbt-wasm';

const command = fileURLToPath(new URL('cli.js', import.meta.resolve('psbt-wasm/package.json')));
const VECTORS = process.env.PSBT_VECTORS_DIR;

function run(...parameters) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'vectors', ...parameters], { encoding: 'utf8' });
  return { status, lines: stdout.trim().split('\n'), stderr };
}

/** A folder with the cases, and functions that answer them and check the answers. */
function kit(context, ...parameters) {
  const folder = join(mkdtempSync(join(tmpdir(), 'psbt-wasm-')), 'kit');
  context.after(() => rmSync(join(folder, '..'), { recursive: true }));
  assert.equal(run(folder, ...parameters).status, 0);
  const { cases } = JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8'));
  const check = (answers) => {
    writeFileSync(join(folder, 'answers.json'), JSON.stringify(answers));
    return run('--check', folder);
  };
  return { folder, cases, check, named: (id) => cases.find((one) => one.id === id) };
}

async function verdict({ address, message, signature, coins }) {
  const { status } = await verifyMessage(address, message, signature, { coins: coins.map((coin) => ({ ...coin, valueSats: BigInt(coin.valueSats) })) });
  return status;
}

test('the list has every carrier and script type, to verify and to sign', (context) => {
  const { cases } = kit(context);
  assert.equal(run().lines.length, cases.length);
  const of = (task) => new Set(cases.filter((one) => one.task === task).map(({ carrier, script }) => `${carrier} ${script}`));
  for (const script of ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2sh-multisig', 'p2sh-p2wsh-multisig', 'p2wsh-multisig', 'p2tr', 'p2tr-script']) {
    for (const carrier of ['full', 'proof-of-funds']) assert.ok(of('verify').has(`${carrier} ${script}`), `${carrier} ${script}`);
    for (const carrier of ['psbt', 'proof-of-funds']) assert.ok(of('sign').has(`${carrier} ${script}`), `${carrier} ${script}`);
  }
  assert.ok(cases.every(({ source, because }) => source && because));
});

test('our verdicts are right, and the opposite ones are not', async (context) => {
  const { cases, check } = kit(context);
  const verify = cases.filter(({ task }) => task === 'verify');
  const verdicts = await Promise.all(verify.map(async (one) => [one.id, await verdict(one)]));
  const { status, lines } = check(Object.fromEntries(verdicts));
  assert.deepEqual([status, lines], [0, [`${verify.length} right, 0 wrong, ${cases.length - verify.length} without an answer`]]);
  const valid = new Set(verdicts.filter(([, found]) => found.startsWith('valid')).map(([id]) => id));
  const opposite = check(Object.fromEntries(verify.map(({ id }) => [id, !valid.has(id)])));
  assert.deepEqual([opposite.status, opposite.lines.length], [1, verify.length + 1]);
});

const skip = VECTORS ? false : 'PSBT_VECTORS_DIR names no folder';

test('the vectors of the standard become cases, with the same verdicts', { skip }, async (context) => {
  const files = ['basic', 'generated'].flatMap((name) => ['--official', join(VECTORS, `bips/bip-0322_${name}-test-vectors.json`)]);
  const { cases, check } = kit(context, ...files);
  const official = cases.filter(({ source }) => source.startsWith('bitcoin/bips'));
  const full = official.filter(({ carrier, script }) => carrier === 'full' && script);
  assert.deepEqual([full.length, official.filter(({ carrier }) => carrier === 'proof-of-funds').length], [10, 3]);
  // CLTV and CSV included: none of them is inconclusive.
  for (const one of full) assert.equal(await verdict(one), 'valid-with-locks', one.id);
  const answers = await Promise.all(official.map(async (one) => [one.id, await verdict(one)]));
  assert.deepEqual(check(Object.fromEntries(answers)).lines, [`${official.length} right, 0 wrong, ${cases.length - official.length} without an answer`]);
});

test('signatures are answers, in the file or beside it', (context) => {
  const { folder, check, named } = kit(context);
  const right = named('p2wpkh-proof-of-funds').signature;
  const answers = { 'sign-p2wpkh': named('p2wpkh-simple').signature, 'psbt-p2wpkh': named('p2wpkh-full').signature, 'refuse-payment': 'refused' };
  writeFileSync(join(folder, 'psbt-funds-p2wpkh-signed.psbt'), Buffer.from(right.slice(3), 'base64'));
  assert.deepEqual(check(answers).lines[0].split(', ').slice(0, 2), ['4 right', '0 wrong']);
  writeFileSync(join(folder, 'psbt-funds-p2wpkh-signed.psbt'), right);
  assert.equal(check(answers).status, 0);
});

test('wrong answers say why', (context) => {
  const { check, named } = kit(context);
  const given = {
    'sign-p2tr': named('wrong-key-p2tr').signature,
    // Signs the message, and no coin.
    'psbt-funds-p2wpkh': named('p2wpkh-full').signature,
    'psbt-p2tr': named('psbt-p2tr').psbt,
    'refuse-payment': named('p2wpkh-proof-of-funds').signature,
    'high-s-p2pkh': true,
  };
  const { status, lines } = check(given);
  assert.equal(status, 1);
  const said = new Map(lines.slice(0, -1).map((line) => line.split(/: (.*)/)));
  assert.deepEqual([...said.keys()].sort(), Object.keys(given).sort());
  assert.match(said.get('sign-p2tr'), /does not match/);
  assert.match(said.get('psbt-funds-p2wpkh'), /does not sign for the coin [0-9a-f]{64}:0/);
  assert.match(said.get('psbt-p2tr'), /Not enough keys/);
  assert.match(said.get('refuse-payment'), /must be refused\. It has a second output/);
  assert.match(said.get('high-s-p2pkh'), /is invalid, not true\. S is in the upper half/);
});

test('wrong use ends with 2, and answers are never overwritten', (context) => {
  const { folder, check } = kit(context);
  for (const wrong of [['a', 'b'], ['--check'], ['--check', '/nowhere'], [folder], ['--such'], ['--official', command]]) {
    const { status, stderr } = run(...wrong);
    assert.deepEqual([status, /usage:/.test(stderr)], [2, true], wrong.join(' '));
  }
  assert.match(check({ 'sign-nothing': '' }).stderr, /"sign-nothing", which is the id of no case/);
  assert.deepEqual([run('--help').status, run('--help').lines[0].startsWith('usage:')], [0, true]);
});
