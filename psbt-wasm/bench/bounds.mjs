// How long the functions take for large files that ask for as much work as they can, and how much memory: each call in a process of its own.
// `node bounds.mjs FILE CALL` prints the time and the growth of the process.

import { execFile } from 'node:child_process';
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
  const counted = Buffer.from([0xfe, 0, 0, 0, 0]);
  counted.writeUInt32LE(count, 1);
  const transaction = Buffer.concat([version, counted, rows, Buffer.from('0100000000000000000000000000', 'hex')]);
  const length = Buffer.from([0xfe, 0, 0, 0, 0]);
  length.writeUInt32LE(transaction.length, 1);
  const coin = Buffer.from(`0101${(9 + script.length / 2).toString(16)}e803000000000000${(script.length / 2).toString(16)}${script}`, 'hex');
  const map = Buffer.concat([coin, Buffer.from(signature, 'hex'), Buffer.of(0)]);
  const start = Buffer.from('70736274ff0100', 'hex');
  return Buffer.concat([start, length, transaction, Buffer.of(0), ...Array(count).fill(map), Buffer.of(0)]);
}

const KEY = `02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`;
const DER = `30440220${'01'.repeat(32)}0220${'02'.repeat(32)}01`;
const PARTIAL = `2202${KEY}47${DER}`;

/** Files that ask for as much work as they can, each in its way. */
const FILES = {
  'unknown fields': fields,
  'unknown fields, as base64': () => Buffer.from(fields().subarray(0, 25_000_000).toString('base64')),
  'P2WPKH inputs': () => inputs('0014751e76e8199196d454941c45d1b3a323f1433bd6', PARTIAL),
  'taproot inputs': () => inputs(`5120${KEY.slice(2)}`, `011340${'09'.repeat(64)}`),
  'seed words': () => Buffer.alloc(MOST_BYTES, 'abandon x '),
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
};

/** The longest call of all and the most memory: `{ms, call, bytes}`. */
export async function bounds(log) {
  const worst = { ms: 0, call: '', bytes: 0 };
  const directory = await mkdtemp(join(tmpdir(), 'psbt-wasm-bounds-'));
  const path = join(directory, 'file');
  try {
    for (const [name, make] of Object.entries(FILES)) {
      await writeFile(path, make());
      for (const call of Object.keys(CALLS)) {
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
  await new Promise((resolve) => resolve(CALLS[call](ours, file))).catch(() => {});
  console.log(JSON.stringify({ ms: performance.now() - start, growth: peak() - before }));
}
