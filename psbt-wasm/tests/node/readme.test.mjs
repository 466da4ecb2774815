// The example for Node in README.md runs as it stands there.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readPsbt, stripPsbt } from 'psbt-wasm';
import { binary, fixture } from './support.mjs';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

test('the example for Node in README.md runs', (context) => {
  const readme = readFileSync(path('../../README.md'), 'utf8');
  const example = readme.match(/## In Node\n\n```js\n(.*?)```/s)[1];
  const directory = mkdtempSync(join(tmpdir(), 'psbt-wasm-'));
  context.after(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(path('../../pkg'), join(directory, 'node_modules/psbt-wasm'), 'junction');
  writeFileSync(join(directory, 'example.mjs'), example);
  cpSync(path('fixtures/mixed.psbt'), join(directory, 'wallet.psbt'));

  const output = execFileSync(process.execPath, ['example.mjs'], { cwd: directory, encoding: 'utf8' });

  const lines = output.trim().split('\n');
  assert.equal(lines[0], `${'01'.repeat(32)}:7  50000000 sats  invalid`);
  assert.deepEqual(lines.slice(-2), ['total: 100010000 sats', 'extended public keys in it: 1']);
  const minimal = new Uint8Array(readFileSync(join(directory, 'minimal.psbt')));
  assert.deepEqual(minimal, stripPsbt(binary(fixture('mixed.psbt'))));
});

test('the example that makes a proof', (context) => {
  const readme = readFileSync(path('../../README.md'), 'utf8');
  const example = readme.match(/## Proofs of reserves\n.*?```js\n(.*?)```/s)[1];
  const directory = mkdtempSync(join(tmpdir(), 'psbt-wasm-'));
  context.after(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(path('../../pkg'), join(directory, 'node_modules/psbt-wasm'), 'junction');
  writeFileSync(join(directory, 'example.mjs'), example);
  cpSync(path('../../fuzz/seeds/every-kind.psbt'), join(directory, 'wallet.psbt'));

  const output = execFileSync(process.execPath, ['example.mjs'], { cwd: directory, encoding: 'utf8' });

  assert.equal(output.trim().split('\n').at(-1), '700000 sats, signatures: 0,0,0,0,0,0,0');
  const report = readPsbt(new Uint8Array(readFileSync(join(directory, 'to-sign.psbt'))), 'mainnet');
  assert.equal(report.feeSats, 0n);
});
