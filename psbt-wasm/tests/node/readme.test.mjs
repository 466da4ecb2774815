// The examples for Node in README.md run as they stand there.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readPsbt, stripPsbt } from 'psbt-wasm/sync';
import { binary, fixture } from './support.mjs';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const readme = readFileSync(path('../../README.md'), 'utf8');

/** Runs the first example under a heading, beside the file wallet.psbt. Returns the lines that it prints, and what reads files there. */
function run(context, heading, file) {
  const [, example] = readme.match(new RegExp(`## ${heading}\\n.*?\`{3}js\\n(.*?)\`{3}`, 's'));
  const directory = mkdtempSync(join(tmpdir(), 'psbt-wasm-'));
  context.after(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(path('../../pkg'), join(directory, 'node_modules/psbt-wasm'), 'junction');
  writeFileSync(join(directory, 'example.mjs'), example);
  cpSync(path(file), join(directory, 'wallet.psbt'));
  const output = execFileSync(process.execPath, ['example.mjs'], { cwd: directory, encoding: 'utf8' });
  const read = (name) => new Uint8Array(readFileSync(join(directory, name)));
  return { lines: output.trim().split('\n'), read };
}

test('the example that reads a file', (context) => {
  const { lines, read } = run(context, 'Read a file', 'fixtures/mixed.psbt');
  assert.match(lines[0], new RegExp(`^${'01'.repeat(32)}:7 {2}\\S+ {2}50000000 sats$`));
  assert.equal(lines.at(-1), 'extended public keys: 1');
  assert.deepEqual(read('minimal.psbt'), stripPsbt(binary(fixture('mixed.psbt'))));
});

test('the example that makes a proof', (context) => {
  const { lines, read } = run(context, 'Make a proof of reserves', '../../fuzz/seeds/every-kind.psbt');
  assert.equal(lines.at(-1), '700000 sats, signatures: 0,0,0,0,0,0,0');
  assert.equal(readPsbt(read('to-sign.psbt'), 'mainnet').feeSats, 0n);
});

test('the example that inspects a file', (context) => {
  const { lines } = run(context, 'Inspect a file', 'fixtures/mixed.psbt');
  assert.match(lines[0], /^global {2}PSBT_GLOBAL_UNSIGNED_TX \{/);
});

test('the example that checks signatures', (context) => {
  const { lines } = run(context, 'Check signatures', '../../fuzz/seeds/every-kind.psbt');
  assert.match(lines[0], /^input 1: valid/);
  assert.equal(lines.at(-1), 'Every input is signed.');
});

test('the example that verifies a message', (context) => {
  const { lines } = run(context, 'Verify a message', 'fixtures/mixed.psbt');
  assert.deepEqual(lines, ['valid null']);
});
