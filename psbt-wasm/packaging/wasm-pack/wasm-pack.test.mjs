// What wasm-pack makes of the crate, for each of its targets, and that it works. `npm run wasm-pack` in psbt-wasm; it needs wasm-pack
// (`cargo install wasm-pack --locked`), which installs the wasm-bindgen that it needs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { temporary } from '../consumer.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const file = readFileSync(here('../../fuzz/seeds/every-kind.psbt'));

/** How each target's package is loaded: in an own process, where WebAssembly is a module, for bundlers. */
const LOADED = {
  bundler: (entry) => `import * as loaded from ${entry};`,
  nodejs: (entry) => `import loaded from ${entry};`,
  web: (entry) => `import * as loaded from ${entry};
    import { readFileSync } from 'node:fs';
    await loaded.default({ module_or_path: readFileSync(new URL('psbt_wasm_bg.wasm', ${entry})) });`,
};

const USED = `
  const bytes = new Uint8Array(Buffer.from(process.argv[1], 'base64'));
  const report = loaded.readPsbt(bytes, 'mainnet');
  const { inputs } = await loaded.checkSignatures(bytes);
  const stripped = loaded.readPsbt(loaded.stripPsbt(bytes), 'mainnet');
  let code;
  try {
    loaded.readPsbt(new Uint8Array(9), 'mainnet');
  } catch (error) {
    code = error instanceof loaded.PsbtError && error.code;
  }
  console.log(report.inputs.length, inputs.every(({ status }) => status === 'valid'), report.totalInputSats, stripped.inputs.length, code);
`;

for (const [target, load] of Object.entries(LOADED)) {
  test(`wasm-pack build --target ${target}`, () => {
    const directory = temporary();
    const path = `${here('../../node_modules/.bin')}:${process.env.PATH}`;
    execFileSync('wasm-pack', ['build', '--target', target, '--out-dir', directory, '--all-features'], {
      cwd: here('../..'),
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const entry = JSON.stringify(pathToFileURL(join(directory, 'psbt_wasm.js')).href);
    const script = load(entry) + USED;
    const args = ['--experimental-wasm-modules', '--no-warnings', '--input-type=module', '--eval', script, file.toString('base64')];
    const said = execFileSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(said.trim(), '7 true 700000n 7 invalid-magic');
  });
}
