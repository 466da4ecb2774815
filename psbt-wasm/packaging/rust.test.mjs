// The crate as others get it: with any of its features, and in a WebAssembly module that is not ours.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = fileURLToPath(new URL('rust', import.meta.url));
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? 'target');
const WASM = 'wasm32-unknown-unknown';

before(() => {
  // The versions that the workspace has: nothing is looked up, and nothing is downloaded.
  copyFileSync(join(root, 'Cargo.lock'), join(project, 'Cargo.lock'));
});

/** Runs cargo at the root, so that psbt-wasm's own settings for libsecp256k1 do not apply. Returns what it prints. */
function cargo(command, manifest, ...parameters) {
  const all = [command, '--offline', '--manifest-path', join(manifest, 'Cargo.toml'), ...parameters];
  const env = { ...process.env, CARGO_TARGET_DIR: target };
  const { status, stdout, stderr } = spawnSync('cargo', all, { cwd: root, encoding: 'utf8', env });
  assert.equal(status, 0, `cargo ${all.join(' ')}\n${stderr}`);
  return { stdout, stderr };
}

/** They compile everything once more, which takes a minute. */
const skip = !process.env.LONG_RUNS && 'a long run';

for (const [where, parameters] of [['natively', []], ['for WebAssembly', ['--target', WASM]]]) {
  test(`a crate with any of the features compiles ${where} without a warning`, { skip }, () => {
    for (const wanted of ['', 'psbt-wasm/tools', 'psbt-wasm/exports', 'psbt-wasm/tools,psbt-wasm/exports']) {
      const { stderr } = cargo('check', project, '--quiet', '--features', wanted, ...parameters);
      assert.equal(stderr, '', `with ${wanted}`);
    }
  });
}

for (const features of ['', 'tools']) {
  test(`another WebAssembly module with the crate links and runs${features && ` with ${features}`}`, async () => {
    const { stderr } = cargo('build', project, '--quiet', '--features', features, '--target', WASM);
    assert.equal(stderr, '');
    const module = readFileSync(join(target, WASM, 'debug', 'consumer.wasm'));
    const { instance } = await WebAssembly.instantiate(module);
    assert.equal(instance.exports.consumer(10), 'Invalid PSBT: Invalid magic number'.length);
  });
}
