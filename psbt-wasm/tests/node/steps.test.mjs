// No file makes a module work for longer than its length warrants: counted in steps, not timed.
//
//   STEPS_FILES   how many damaged files are tried (default 1000)

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { damaged, generator } from './damage.mjs';
import { bytes, HOSTILE, u32 } from './hostile.mjs';
import { HOSTILE_MESSAGES } from './hostile-messages.mjs';
import { HOSTILE_PROOFS } from './hostile-proofs.mjs';
import { counting } from './steps.mjs';
import { fixture } from './support.mjs';

const REFUSED = 0;

// Each check of a signature takes some thousands of steps; a file may ask for 256, and one more for every 32 bytes.
const FIXED = 100_000;
const FOR_A_BYTE = 300;

const MAX_CHECKS = 40_000;

/** Flags, three numbers and the statement, as src/wasm/tools/make.rs reads them: a transaction, and a message. */
const options = (flags) => Buffer.concat([Buffer.of(flags), Buffer.alloc(12), Buffer.from('A line')]);

/** Every part is preceded by its length. */
const framed = (...parts) => bytes(...parts.flatMap((part) => [u32(part.length), part]));

/** The functions that get a file. */
let calls;

/** Functions that get an origin and a published proof, as js/proof.js writes them. */
let checkProof;

/** Functions that get an address, a message and a signature, each preceded by its length. */
let verifyMessage;

before(() => {
  const first = counting('psbt_wasm');
  const tools = counting('psbt_wasm_tools');
  checkProof = (proof) => tools('checkProof', proof, MAX_CHECKS);
  verifyMessage = (frames) => tools('verifyMessage', frames);
  calls = {
    readPsbt: (file) => first('readPsbt', file, 0, 0),
    stripPsbt: (file) => first('stripPsbt', file),
    checkSignatures: (file) => tools('checkSignatures', file, MAX_CHECKS),
    'makeProof, a transaction': (file) => tools('makeProof', file, options(0)),
    'makeProof, a message': (file) => tools('makeProof', file, options(1)),
    combine: (file) => tools('combine', framed(file, file)),
    inspect: (file) => tools('inspect', file, 0, 0),
    recognize: (file) => tools('recognize', file),
    extract: (file) => tools('extract', file),
    derivations: (file) => tools('derivations', file),
    readerCoins: (file) => tools('readerCoins', file),
  };
});

/** The allowed number of steps for a number of bytes. */
const allowed = ({ length }) => FIXED + FOR_A_BYTE * length;

function assertTwice(call, run, [small, large]) {
  const [once, double] = [run(small), run(large)];
  const text = `${call}: ${once.steps} steps for ${small.length} bytes, ${double.steps} for ${large.length}`;
  assert.ok(double.steps < 2.6 * once.steps, text);
  assert.ok(double.steps < allowed(large), text);
  return double;
}

for (const [name, make] of Object.entries(HOSTILE)) {
  test(`twice as many are twice the work: ${name}`, () => {
    for (const [call, run] of Object.entries(calls)) {
      const { kind, bytes } = assertTwice(call, run, [make(1_000), make(2_000)]);
      if (call === 'readPsbt') assert.notEqual(kind, REFUSED, Buffer.from(bytes.subarray(4)).toString());
    }
  });
}

for (const [name, make] of Object.entries(HOSTILE_PROOFS)) {
  test(`twice as many are twice the work of a published proof: ${name}`, () => {
    const { kind, bytes } = assertTwice('checkProof', checkProof, [make(1_000), make(2_000)]);
    assert.notEqual(kind, REFUSED, Buffer.from(bytes.subarray(4)).toString());
  });
}

for (const [name, make] of Object.entries(HOSTILE_MESSAGES)) {
  test(`twice as many are twice the work of a signed message: ${name}`, async () => {
    const { encodeMessage } = await import(new URL('message.js', import.meta.resolve('psbt-wasm/package.json')));
    const frames = [1_000, 2_000].map((count) => {
      const { address, message, signature } = make(count);
      return encodeMessage(address, message, signature);
    });
    const { bytes } = assertTwice('verifyMessage', verifyMessage, frames);
    assert.notEqual(JSON.parse(Buffer.from(bytes)).reason, 'encoding');
  });
}

test('damaged files take no more steps than their length allows', () => {
  const folder = new URL('../../fuzz/seeds/', import.meta.url);
  const seeds = readdirSync(folder).sort().map((name) => readFileSync(new URL(name, folder)));
  const random = generator(2);
  for (let left = Number(process.env.STEPS_FILES ?? 1_000); left > 0; left -= 1) {
    const file = damaged(seeds, random);
    for (const [call, run] of Object.entries(calls)) {
      const { steps } = run(file);
      const base64 = () => Buffer.from(file).toString('base64');
      assert.ok(steps <= allowed(file), `${call}: ${steps} steps for ${base64()}`);
    }
  }
});

test('damaged proofs take no more steps than their length allows', async () => {
  const { encodeProof } = await import(new URL('proof.js', import.meta.resolve('psbt-wasm/package.json')));
  const published = (name) => encodeProof(fixture(`published-${name}.json`), 'https://board.example');
  const seeds = ['message', 'transaction'].map(published);
  const random = generator(3);
  for (let left = Number(process.env.STEPS_FILES ?? 1_000); left > 0; left -= 1) {
    const proof = damaged(seeds, random);
    const { steps } = checkProof(proof);
    assert.ok(steps <= allowed(proof), `checkProof: ${steps} steps for ${Buffer.from(proof).toString('base64')}`);
  }
});
