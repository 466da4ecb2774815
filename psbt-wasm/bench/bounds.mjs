// How long the functions take for large files that ask for as much work as they can, and how much memory: each call in a process of its own.
// `node bounds.mjs FILE CALL` prints the time and the growth of the process.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { peak } from './memory.mjs';

const self = fileURLToPath(import.meta.url);
const MOST_BYTES = 32 * 1024 * 1024;

/** A file of fields with distinct unknown keys: as many as there can be. */
function fields() {
  const file = Buffer.alloc(MOST_BYTES - 16);
  file.write('psbt\xff', 'latin1');
  for (let at = 5; at + 7 < file.length; at += 7) {
    file[at] = 5;
    file[at + 1] = 0x70;
    file.writeUInt32LE(at, at + 2);
  }
  return file;
}

/** A file of as many inputs as a transaction of 4 MB has, each with a coin of this script, and these fields. */
function inputs(script, signature) {
  const count = 97_000;
  const rows = Buffer.alloc(41 * count, 0xff);
  for (let at = 0; at < count; at += 1) {
    rows.writeUInt32LE(at, 41 * at);
    rows[41 * at + 36] = 0;
  }
  const version = Buffer.from('02000000', 'hex');
  const transaction = Buffer.concat([version, compact(count), rows, Buffer.from('0100000000000000000000000000', 'hex')]);
  const coin = Buffer.from(`0101${(9 + script.length / 2).toString(16)}e803000000000000${(script.length / 2).toString(16)}${script}`, 'hex');
  const map = Buffer.concat([coin, Buffer.from(signature, 'hex'), Buffer.of(0)]);
  const start = Buffer.from('70736274ff0100', 'hex');
  return Buffer.concat([start, compact(transaction.length), transaction, Buffer.of(0), ...Array(count).fill(map), Buffer.of(0)]);
}

const KEY = `02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`;
const DER = `30440220${'01'.repeat(32)}0220${'02'.repeat(32)}01`;
const PARTIAL = `2202${KEY}47${DER}`;

/** The length of what follows, as PSBT and transactions write it. */
function compact(length) {
  if (length < 0xfd) return Buffer.of(length);
  const bytes = Buffer.alloc(5, 0xfe);
  bytes.writeUInt32LE(length, 1);
  return length > 0xffff ? bytes : Buffer.of(0xfd, bytes[1], bytes[2]);
}

/** Files that ask for as much work as they can, each in its way. */
const FILES = {
  'unknown fields': fields,
  'unknown fields, as base64': () => Buffer.from(fields().subarray(0, 25_000_000).toString('base64')),
  'P2WPKH inputs': () => inputs('0014751e76e8199196d454941c45d1b3a323f1433bd6', PARTIAL),
  'taproot inputs': () => inputs(`5120${KEY.slice(2)}`, `011340${'09'.repeat(64)}`),
  'seed words': () => Buffer.alloc(MOST_BYTES, 'abandon x '),
};

const ADDRESS = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
// The first vector of BIP-322.
const SIGNATURE =
  'smpAkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=';

/** A final transaction: each input has this script signature and this witness, unless it is empty. */
function transaction(outpoints, scriptSig, witness) {
  const inputs = outpoints.map((outpoint) => Buffer.concat([outpoint, Buffer.of(scriptSig.length), scriptSig, Buffer.alloc(4)]));
  const marker = witness.length > 0 ? Buffer.of(0, 1) : Buffer.alloc(0);
  const output = Buffer.from('010000000000000000016a', 'hex');
  const witnesses = outpoints.map(() => witness);
  return Buffer.concat([Buffer.of(2, 0, 0, 0), marker, compact(outpoints.length), ...inputs, output, ...witnesses, Buffer.alloc(4)]);
}

/** So many outputs that can be spent. */
const outpoints = (count) =>
  Array.from({ length: count }, (_, at) => {
    const outpoint = Buffer.alloc(36, 7);
    outpoint.writeUInt32LE(at, 0);
    outpoint.writeUInt32LE(0, 32);
    return outpoint;
  });

/** A published proof over coins of this script, each signed like this. */
function proof(count, script, scriptSig, witness) {
  const spent = outpoints(count);
  const inputs = spent.map((outpoint) => ({
    txid: outpoint.subarray(0, 32).reverse().toString('hex'),
    vout: 0,
    value_sats: 1_000,
    script_pubkey: script,
  }));
  const statement = { origin: ORIGIN, provider: 'x', subject: '1', account_id: '2', nonce: '00'.repeat(16), text: 'A line' };
  const hex = transaction(outpoints(count), Buffer.from(scriptSig, 'hex'), Buffer.from(witness, 'hex')).toString('hex');
  return { binding: 'transaction', network: 'mainnet', statement, inputs, transaction: hex };
}

const ORIGIN = 'https://board.example';
const P2WPKH = '0014751e76e8199196d454941c45d1b3a323f1433bd6';
const P2PKH = '76a914751e76e8199196d454941c45d1b3a323f1433bd688ac';

/** Published proofs of the largest transaction. */
const PROOFS = {
  'P2WPKH coins': () => proof(26_000, P2WPKH, '', `0247${DER}21${KEY}`),
  'P2PKH coins': () => proof(26_000, P2PKH, `47${DER}21${KEY}`, ''),
  'coins without signatures': () => proof(90_000, `0020${'03'.repeat(32)}`, '', '0100'),
};

const doubleSha256 = (bytes) => createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();

/** The output that signatures of the empty message spend (BIP-322). */
function toSpend(script) {
  const tag = createHash('sha256').update('BIP0322-signed-message').digest();
  const message = createHash('sha256').update(tag).update(tag).digest('hex');
  const bytes = `0000000001${'00'.repeat(32)}ffffffff220020${message}00000000010000000000000000${(script.length / 2).toString(16)}${script}00000000`;
  return Buffer.concat([doubleSha256(Buffer.from(bytes, 'hex')), Buffer.alloc(4)]);
}

/** A proof of funds over coins of this script, each signed like this. */
function proofOfFunds(count, script, field) {
  const spent = [toSpend(CHALLENGE), ...outpoints(count)];
  const inputs = spent.map((outpoint) => Buffer.concat([outpoint, Buffer.alloc(5)]));
  const unsigned = Buffer.concat([Buffer.alloc(4), compact(spent.length), ...inputs, Buffer.from('010000000000000000016a00000000', 'hex')]);
  const coin = (script) => `0101${(9 + script.length / 2).toString(16)}e803000000000000${(script.length / 2).toString(16)}${script}`;
  const map = Buffer.from(`${coin(script)}${field}00`, 'hex');
  const start = [Buffer.from('70736274ff0100', 'hex'), compact(unsigned.length), unsigned, Buffer.of(0)];
  const file = Buffer.concat([...start, Buffer.from(`${coin(CHALLENGE)}00`, 'hex'), ...Array(count).fill(map), Buffer.of(0)]);
  return { signature: `pof${file.toString('base64')}` };
}

const CHALLENGE = '00142b05d564e6a7a33c087f16e0f730d1440123799d';

/** Messages, and signatures of the empty message, for one address. */
const MESSAGES = {
  'a message of lines': () => ({ message: 'a\n'.repeat(MOST_BYTES / 2 - 1_000), signature: SIGNATURE }),
  'a witness of short signatures': () => {
    const count = Math.floor((0.74 * MOST_BYTES) / 10);
    const element = Buffer.from('09300602010102010101', 'hex');
    return { signature: `smp${Buffer.concat([compact(count), ...Array(count).fill(element)]).toString('base64')}` };
  },
  'P2WPKH coins': () => proofOfFunds(90_000, P2WPKH, `01086b0247${DER}21${KEY}`),
  'P2PKH coins': () => proofOfFunds(90_000, P2PKH, `01076a47${DER}21${KEY}`),
};

const CALLS = {
  readPsbt: ({ readPsbt }, file) => readPsbt(file, 'mainnet'),
  'readPsbt, curve': ({ readPsbt }, file) => readPsbt(file, 'mainnet', { keys: 'curve' }),
  stripPsbt: ({ stripPsbt }, file) => stripPsbt(file),
  checkSignatures: ({ checkSignatures }, file) => checkSignatures(file),
  inspect: ({ inspect }, file) => inspect(file),
  recognize: ({ recognize }, file) => recognize(file),
  makeProof: ({ makeProof }, file) => makeProof(file, { statement: 'A line', form: 'transaction' }),
  combine: ({ combine }, file) => combine([file]),
  extract: ({ extract }, file) => extract(file),
};

const parse = (file) => JSON.parse(Buffer.from(file).toString());
const CALLS_OF_PROOFS = { checkProof: ({ checkProof }, file) => checkProof(parse(file), ORIGIN) };
const CALLS_OF_MESSAGES = {
  verifyMessage({ verifyMessage }, file) {
    const { message = '', signature } = parse(file);
    return verifyMessage(ADDRESS, message, signature);
  },
};
const ALL_CALLS = { ...CALLS, ...CALLS_OF_PROOFS, ...CALLS_OF_MESSAGES };

/** What each of these functions is given. */
const GROUPS = [
  [FILES, CALLS],
  [PROOFS, CALLS_OF_PROOFS],
  [MESSAGES, CALLS_OF_MESSAGES],
];

/** The longest call of all and the most memory: `{ms, call, bytes}`. */
export async function bounds(log) {
  const worst = { ms: 0, call: '', bytes: 0 };
  const directory = await mkdtemp(join(tmpdir(), 'psbt-wasm-bounds-'));
  const path = join(directory, 'file');
  try {
    const cases = GROUPS.flatMap(([files, calls]) => Object.entries(files).map(([name, make]) => ({ name, make, calls })));
    for (const { name, make, calls } of cases) {
      const content = make();
      await writeFile(path, Buffer.isBuffer(content) ? content : JSON.stringify(content));
      for (const call of Object.keys(calls)) {
        const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', self, path, call]);
        const { ms, growth } = JSON.parse(stdout);
        log(`${name}: ${call} ${Math.round(ms)} ms, ${Math.round(growth / 1e6)} MB`);
        if (ms > worst.ms) Object.assign(worst, { ms, call: `${call}, ${name}` });
        worst.bytes = Math.max(worst.bytes, growth);
      }
    }
  } finally {
    await rm(directory, { recursive: true });
  }
  return worst;
}

if (process.argv[1] === self) {
  const [, , path, call] = process.argv;
  const ours = await import('psbt-wasm');
  const before = peak();
  const file = new Uint8Array(await readFile(path));
  const start = performance.now();
  // A refusal may take as long as an answer.
  await new Promise((resolve) => resolve(ALL_CALLS[call](ours, file))).catch(() => {});
  console.log(JSON.stringify({ ms: performance.now() - start, growth: peak() - before }));
}
