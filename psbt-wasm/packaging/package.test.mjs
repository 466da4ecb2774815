// The package as others get it: packed, installed, and used from Node and TypeScript.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { consumer, npm, packed, temporary } from './consumer.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const require = createRequire(import.meta.url);

test('the tarball has what it needs and nothing else', () => {
  const allowed = /^((package|networks|bip322)\.json|(README|CHANGELOG)\.md|LICENSE-(APACHE|MIT)|THIRD-PARTY-LICENSES\.txt|[\w.-]+\.(c?js|d\.c?ts|wasm)|snippets\/.+\.js)$/;
  assert.deepEqual(packed().files.filter((name) => !allowed.test(name)), []);
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE-MIT', 'THIRD-PARTY-LICENSES.txt', 'index.d.ts', 'node.js', 'node.cjs', 'bundler.js', 'sync.js', 'bip322.json']) {
    assert.ok(packed().files.includes(name), name);
  }
});

test('publint finds nothing to improve', async () => {
  const { messages, pkg } = await publint({ pkgDir: here('../pkg'), level: 'suggestion', pack: false });
  assert.deepEqual(messages.map((message) => formatMessage(message, pkg)), []);
});

test('npm corrects nothing in the manifest when it is published', () => {
  const directory = temporary();
  cpSync(here('../pkg/package.json'), join(directory, 'package.json'));
  npm(directory, 'pkg', 'fix');
  const manifest = (path) => JSON.parse(readFileSync(path, 'utf8'));
  assert.deepEqual(manifest(join(directory, 'package.json')), manifest(here('../pkg/package.json')));
});

test('Node imports it by its name', () => {
  const directory = consumer('node');
  const file = here('../fuzz/seeds/every-kind.psbt');
  const output = execFileSync(process.execPath, ['main.js', file], { cwd: directory, encoding: 'utf8' });
  assert.deepEqual(output.trim().split('\n'), [
    '7 700000 1',
    '0',
    `true ${Array(7).fill('valid').join(' ')}`,
    '7 700000 true',
    'true invalid-magic',
    'true',
  ]);
});

test('the modules are found by their names', () => {
  const directory = consumer('node');
  for (const module of packed().files.filter((name) => name.endsWith('.wasm'))) {
    const found = createRequire(join(directory, 'main.js')).resolve(`psbt-wasm/${module}`);
    assert.equal(found, join(realpathSync(directory), 'node_modules/psbt-wasm', module));
  }
});

for (const [resolution, project] of [['nodenext', 'tsconfig.json'], ['nodenext', 'tsconfig.common.json'], ['bundler', 'tsconfig.json'], ['bundler', 'tsconfig.dom.json']]) {
  test(`TypeScript understands it, with module resolution ${resolution} and ${project}`, () => {
    const directory = consumer('types');
    const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
    const module = resolution === 'bundler' ? 'esnext' : resolution;
    const parameters = [tsc, '--project', project, '--module', module, '--moduleResolution', resolution];
    // The compiler prints what is wrong to standard output.
    execFileSync(process.execPath, parameters, { cwd: directory, stdio: ['ignore', process.stderr, 'inherit'] });
  });
}
