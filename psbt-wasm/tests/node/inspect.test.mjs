// `inspect` and `recognize`, and the command.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PsbtError, inspect, readPsbt, recognize } from 'psbt-wasm/sync';
import { binary, bytesOf, fixture } from './support.mjs';

const bytes = binary(fixture('mixed.psbt'));
const command = fileURLToPath(new URL('cli.js', import.meta.resolve('psbt-wasm/package.json')));
const path = (name) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const run = (parameters, input) => spawnSync(process.execPath, [command, ...parameters], { encoding: 'utf8', input });

/** Fields of a map of a PSBT: each a type and a value in hexadecimal text. */
const map = (...fields) => `${fields.map(([type, value]) => `01${type}${(value.length / 2).toString(16).padStart(2, '0')}${value}`).join('')}00`;
const psbt = (...maps) => new Uint8Array(Buffer.from(`70736274ff${maps.join('')}`, 'hex'));

/** A transaction without inputs and outputs. */
const EMPTY = '02000000000000000000';

test('every field of a sound file has its name, and there are no problems', async () => {
  const { fields, problems, ...rest } = await inspect(bytes);
  assert.deepEqual(rest, { format: 'psbt', version: 0, encoding: 'binary', truncated: false });
  assert.deepEqual(problems, []);
  assert.deepEqual(fields[0].name, 'PSBT_GLOBAL_UNSIGNED_TX');
  assert.equal(fields[0].decoded.txid, readPsbt(bytes, 'mainnet').txid);
  const utxo = fields.find(({ name, index }) => name === 'PSBT_IN_WITNESS_UTXO' && index === 0);
  assert.deepEqual(utxo.decoded, {
    sats: '50000000',
    scriptType: 'p2wpkh',
    address: 'bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw',
  });
});

test('files without inputs or outputs are shown, and refused by the strict reader', async () => {
  const file = psbt(map(['00', EMPTY]));
  const { fields, problems } = await inspect(file);
  assert.equal(fields[0].decoded.inputs, '0');
  assert.deepEqual(problems.map(({ code }) => code), ['no-inputs']);
  assert.throws(() => readPsbt(file, 'mainnet'), { code: 'no-inputs' });
});

test('each fault is named where it is', async () => {
  const tx = `0200000001${'11'.repeat(32)}00000000000000000001${'00'.repeat(8)}0000000000`;
  const file = psbt(
    map(['00', tx], ['fb', '00000000']),
    // A key that is too short, a field of version 2, the same one again, a partial MuSig2 signature without its keys.
    map(['03', '01'], ['10', '00000000'], ['10', '00000000'], ['1c', '00'.repeat(32)]),
    map(['09', '02']),
  );
  const { problems } = await inspect(file);
  const named = problems.map(({ map, index, field, message }) => [map, index, field, message.split(': ').at(-1)]);
  assert.deepEqual(named, [
    ['input', 0, 'PSBT_IN_SIGHASH_TYPE', 'It has an invalid length.'],
    ['input', 0, 'PSBT_IN_SEQUENCE', 'It mixes fields of PSBT versions 0 and 2.'],
    ['input', 0, 'PSBT_IN_SEQUENCE', 'The field appears twice.'],
    ['input', 0, 'PSBT_IN_MUSIG2_PARTIAL_SIG', 'It has an invalid key or length.'],
    ['output', 0, 'PSBT_OUT_SP_V0_INFO', 'It has an invalid key or length.'],
  ]);
  const cut = await inspect(file.subarray(0, file.length - 3));
  assert.equal(cut.problems.at(-1).message, 'Invalid PSBT: Could not parse. Output 1: The file, or a field in it, ends too early.');
});

test('a malformed field of MuSig2 is a problem in a file that is read', async () => {
  const file = psbt(
    map(['00', `0200000001${'11'.repeat(32)}000000000000000000018813000000000000015100000000`]),
    map(['1c', '00'.repeat(32)]),
    map(),
  );
  assert.equal(readPsbt(file, 'mainnet').privateFields.unknown, 1);
  const { problems } = await inspect(file);
  assert.deepEqual(problems.map(({ field }) => field), ['PSBT_IN_MUSIG2_PARTIAL_SIG']);
});

test('a sound file cut anywhere, or changed anywhere, is shown', async () => {
  for (let at = 5; at < bytes.length; at += 1) {
    const cut = await inspect(bytes.subarray(0, at));
    assert.ok(cut.problems.length > 0, `cut at ${at}`);
    const changed = bytes.slice();
    changed[at] ^= 1 << at % 8;
    const { problems } = await inspect(changed);
    let refused = null;
    try {
      readPsbt(changed, 'mainnet');
    } catch (error) {
      refused = error.message;
    }
    // Whatever the strict reader says is among them.
    if (refused) assert.ok(problems.some(({ message }) => message === refused), `${at}: ${refused}`);
  }
});

test('only so many fields are shown', async () => {
  const file = new Uint8Array(400_000);
  file.set(bytesOf('psbt'));
  file[4] = 0xff;
  for (let at = 5; at + 8 < file.length; at += 6) file.set([4, 0x70, at >> 16, at >> 8, at, 0], at);
  const { fields, truncated } = await inspect(file);
  assert.deepEqual([fields.length, truncated], [10_000, true]);
});

test('what is no PSBT is an error, and recognized', async () => {
  await assert.rejects(inspect(bytesOf('hello, world')), (error) => error instanceof PsbtError && error.code === 'invalid-magic');
  await assert.rejects(inspect(bytes, { network: 'moon' }), { code: 'unknown-network' });
  const seed = await recognize('legal winner thank year wave sausage worth useful legal winner thank yellow');
  assert.deepEqual([seed.kind, seed.secret], ['seed-phrase', true]);
  assert.equal((await recognize('bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw')).kind, 'address');
  assert.equal(await recognize(bytes), null);
  assert.equal(await recognize(''), null);
});

test('the command', () => {
  const json = run(['inspect', path('mixed.psbt'), '--json']);
  assert.equal(json.status, 0, json.stderr);
  assert.deepEqual(JSON.parse(json.stdout).problems, []);
  const text = run(['inspect', '-'], readFileSync(path('mixed.psbt')));
  assert.equal(text.status, 0, text.stderr);
  assert.match(text.stdout, /^psbt, version 0, base64\n\nglobal\n {2}PSBT_GLOBAL_UNSIGNED_TX {2}txid=[0-9a-f]{64}/);
  assert.match(text.stdout, /no problems\n$/);
  const address = run(['inspect', '-'], 'bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw');
  assert.deepEqual([address.status, address.stdout.split(',')[0]], [1, 'This is an address']);
  const other = run(['inspect', '-', '--json'], 'hello, world');
  assert.deepEqual([other.status, JSON.parse(other.stdout).error.code], [1, 'invalid-magic']);
  for (const wrong of [[], ['inspect'], ['inspect', 'a', 'b'], ['inspect', '/nowhere'], ['--such']]) {
    assert.deepEqual([run(wrong).status, /usage:/.test(run(wrong).stderr)], [2, true], wrong.join(' '));
  }
  assert.equal(run(['inspect', path('mixed.psbt'), '--network', 'moon']).status, 2);
  assert.match(run(['inspect', path('mixed.psbt'), '--verbose']).stderr, /'--verbose'/);
  assert.match(run(['--such']).stderr, /there is no option "--such"/);
  for (const asked of [['--version'], ['inspect', '--version'], ['verify', '--version']]) {
    assert.match(run(asked).stdout, /^\d+\.\d+\.\d+\S*\n$/, asked.join(' '));
  }
});

test('a file in JSON or in quotes is read, and other text around it is named', async () => {
  const base64 = fixture('mixed.psbt');
  const expected = readPsbt(bytes, 'mainnet');
  for (const text of [`{"psbt": "${base64}", "complete": false}`, `"${base64}"`, base64.replaceAll('+', '-').replaceAll('/', '_')]) {
    assert.deepEqual({ ...readPsbt(bytesOf(text), 'mainnet'), encoding: 'binary' }, expected);
    assert.equal((await inspect(bytesOf(text))).encoding, 'base64');
  }
  const pem = `-----BEGIN PSBT-----\n${base64}\n-----END PSBT-----`;
  assert.equal((await recognize(pem)).kind, 'pem');
  const said = run(['inspect', '-'], pem);
  assert.deepEqual([said.status, said.stdout.includes('(PEM)')], [1, true]);
});

test('a field type that Bitcoin Core does not read is a problem with its place', async () => {
  const tx = `0200000001${'11'.repeat(32)}000000000000000000018813000000000000015100000000`;
  const file = new Uint8Array(Buffer.from(`70736274ff${map(['00', tx]).slice(0, -2)}0003fd0100000000`, 'hex'));
  const cut = new Uint8Array(Buffer.from(`70736274ff${map(['00', tx]).slice(0, -2)}0002fd6301000000`, 'hex'));
  for (const [given, type, words] of [[file, 1, 'Its type is 1,'], [cut, null, 'cut short']]) {
    const { fields, problems } = await inspect(given);
    assert.deepEqual([fields[1].type, fields[1].map, problems.length], [type, 'input', 1]);
    assert.ok(problems[0].message.includes(words), problems[0].message);
  }
});

test('a transaction says how many inputs are signed', async () => {
  const { fields } = await inspect(bytesOf(fixture('final.txn')));
  assert.equal(fields[0].decoded.signed, '1 of 1 inputs');
});
