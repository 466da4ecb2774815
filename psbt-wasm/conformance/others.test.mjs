// The cases of `psbt-wasm vectors`, answered by other implementations: bip322-js (npm), and btclib and embit (PyPI).
// `npm run conformance` in psbt-wasm. BIP322_PYTHON is a Python with btclib and embit.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Signer, Verifier } from 'bip322-js';

const CLI = fileURLToPath(new URL('../pkg/cli.js', import.meta.url));
const PYTHON = process.env.BIP322_PYTHON;
const VECTORS = process.env.PSBT_VECTORS_DIR;

/** The vectors of the standard are not part of this repository. */
const OFFICIAL = VECTORS ? ['basic', 'generated'].flatMap((name) => ['--official', join(VECTORS, `bips/bip-0322_${name}-test-vectors.json`)]) : [];

/** A folder with the cases, which is removed after the test. */
function kit(context) {
  const folder = mkdtempSync(join(tmpdir(), 'psbt-wasm-'));
  context.after(() => rmSync(folder, { recursive: true }));
  execFileSync(process.execPath, [CLI, 'vectors', folder, ...OFFICIAL]);
  return { folder, ...JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')) };
}

/** The ids of wrong answers, and how many are right. */
function wrong({ folder }, answers) {
  writeFileSync(join(folder, 'answers.json'), JSON.stringify(answers));
  const { stdout } = spawnSync(process.execPath, [CLI, 'vectors', '--check', folder], { encoding: 'utf8' });
  const lines = stdout.trim().split('\n');
  const [, right] = lines.pop().match(/^(\d+) right, /);
  return { wrong: lines.map((line) => line.split(':')[0]), right: Number(right) };
}

/** Why btclib and embit have other answers. */
const DIFFERENT = {
  'funds-unknown-coin': 'btclib does not look coins up',
  'funds-value': 'btclib believes the file about its coins',
  'psbt-v2-funds-p2wpkh': 'embit signs version 2 of a transaction of version 0, if the PSBT has version 2',
  'psbt-v2-funds-p2tr': 'the same',
};

test('btclib and embit have the same answers', { skip: PYTHON ? false : 'BIP322_PYTHON names no Python with btclib and embit' }, (context) => {
  const cases = kit(context);
  const script = fileURLToPath(new URL('others.py', import.meta.url));
  const input = readFileSync(join(cases.folder, 'cases.json'));
  const answers = JSON.parse(execFileSync(PYTHON, [script], { input, maxBuffer: 1 << 26 }));
  const found = wrong(cases, answers);
  assert.deepEqual(found.wrong, Object.keys(DIFFERENT));
  const unanswered = Object.values(answers).filter((answer) => answer === '').length;
  assert.equal(found.right, cases.cases.length - found.wrong.length - unanswered);
  // Messages for multisig and tapscripts without a PSBT, and a request for another signature type, which embit ignores.
  assert.equal(unanswered, 5);
});

/** It knows single keys, in the simple format without its prefix, and the legacy one. */
const isKnown = ({ carrier, script }) => (carrier === 'simple' && ['p2wpkh', 'p2tr', 'p2sh-p2wpkh'].includes(script)) || carrier === 'legacy';

/** Signatures that bip322-js takes, and why. */
const LENIENT = {
  'encoding-long': 'it ignores what follows the witness',
  'sighash-byte-p2tr': 'it takes type 0 at the end of 65 bytes, which BIP-341 forbids',
};

test('bip322-js has the same answers', (context) => {
  const cases = kit(context);
  const answers = {};
  for (const { id, task, carrier, script, address, message, signature, keys, psbt } of cases.cases) {
    if (task === 'verify' && isKnown({ carrier, script })) {
      try {
        answers[id] = Verifier.verifySignature(address, message, signature.replace(/^smp/, ''));
      } catch {
        answers[id] = false;
      }
    } else if (task === 'sign' && !psbt && ['p2wpkh', 'p2tr', 'p2sh-p2wpkh'].includes(script)) {
      answers[id] = Signer.sign(keys[0].key, address, message);
    }
  }
  const found = wrong(cases, answers);
  assert.deepEqual(found.wrong, Object.keys(LENIENT));
  assert.ok(found.right > 25, `${found.right} answers`);
});
