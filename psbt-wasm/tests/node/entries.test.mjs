// The entries of the package, and what happens when the module breaks.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as node from 'psbt-wasm';
import { LARGE, binary, exhaust, fixture, thrownBy } from './support.mjs';

const base64 = fixture('mixed.psbt');
const bytes = binary(base64);
const manifest = createRequire(import.meta.url)('psbt-wasm/package.json');
const inPackage = (path) => new URL(path, import.meta.resolve('psbt-wasm/package.json'));

test('every file that the manifest names is there', async () => {
  const entries = Object.entries(manifest.exports);
  const conditional = entries.filter(([, entry]) => typeof entry === 'object');
  const names = ['.', './bundler', './inline', './web', './psbt_wasm_bg.wasm', './psbt_wasm_tools_bg.wasm'];
  assert.deepEqual(conditional.map(([name]) => name), names);
  const whole = entries.map(([, entry]) => entry).filter((entry) => typeof entry === 'string');
  const named = [...whole, ...conditional.flatMap(([, entry]) => Object.values(entry)), ...manifest.sideEffects];
  for (const path of named) assert.ok((await readFile(inPackage(path))).length > 0, path);
});

test('types come first, then what Node takes', () => {
  assert.deepEqual(Object.keys(manifest.exports['.']), ['types', 'workerd', 'node', 'default']);
});

test('every entry has the same functions', async () => {
  const own = { web: ['default', 'loadTools'] };
  for (const name of ['web', 'inline']) {
    const entry = Object.keys(await import(inPackage(`${name}.js`)));
    assert.deepEqual(entry.filter((key) => !own[name]?.includes(key)), Object.keys(node), name);
  }
  const bundler = await readFile(inPackage('bundler.js'), 'utf8');
  for (const name of Object.keys(node)) assert.match(bundler, new RegExp(`\\b${name}\\b`), name);
});

test('the web entry works once it is loaded, and says so before', async () => {
  const script = `
    import { readFile } from 'node:fs/promises';
    const { readPsbt, default: init } = await import(${quoted('web.js')});
    const read = () => { try { readPsbt(new Uint8Array(5), 'mainnet'); } catch (error) { return error; } };
    console.log(read().message);
    await init(await readFile(new URL(${quoted('psbt_wasm_bg.wasm')})));
    await init();
    console.log(read().code);`;
  assert.deepEqual(await outputOf(script), [
    'psbt-wasm is not loaded yet: await init() first.',
    'invalid-magic',
  ]);
});

test('the entry for bundlers fetches the module from where it lies', async () => {
  const script = `
    import { readFile } from 'node:fs/promises';
    const fetched = [];
    globalThis.fetch = async (url) => {
      fetched.push(url.pathname.split('/').at(-1));
      return new Response(await readFile(url), { headers: { 'content-type': 'application/wasm' } });
    };
    const { checkSignatures, readPsbt, PsbtError } = await import(${quoted('index.js')});
    try { readPsbt(new Uint8Array(5), 'mainnet'); } catch (error) {
      console.log(error instanceof PsbtError, error.code);
    }
    console.log(fetched.join());
    const error = await checkSignatures(new Uint8Array(5)).catch((error) => error);
    console.log(error instanceof PsbtError, error.code);
    console.log(fetched.join());`;
  assert.deepEqual(await outputOf(script), [
    'true invalid-magic',
    'psbt_wasm_bg.wasm',
    'true invalid-magic',
    'psbt_wasm_bg.wasm,psbt_wasm_tools_bg.wasm',
  ]);
});

test('the entry for bundlers that import WebAssembly is the module itself, until it traps', async () => {
  const script = `
    const { checkSignatures, readPsbt, stripPsbt, PsbtError } = await import(${quoted('bundler.js')});
    const { memory } = await import(${quoted('psbt_wasm_bg.wasm')});
    const { exhaust } = await import('${new URL('support.mjs', import.meta.url).href}');
    const bytes = Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0));
    console.log(readPsbt(bytes, 'mainnet').feeSats, readPsbt(stripPsbt(bytes), 'mainnet').private.unknown);
    console.log((await checkSignatures(bytes)).complete);
    const read = (file) => { try { readPsbt(file, 'mainnet'); } catch (error) { return error; } };
    console.log(read(new Uint8Array(5)) instanceof PsbtError, read(new Uint8Array(5)).code);
    exhaust(memory);
    console.log(read(new Uint8Array(30 * 1024 * 1024)).code, read(bytes).code, read(bytes).cause.message);
    console.log((await checkSignatures(bytes)).complete);`;
  assert.deepEqual(await outputOf(script, '--experimental-wasm-modules'), [
    '1010000n 0',
    'false',
    'true invalid-magic',
    'internal internal The module has failed before: reload the page, or restart the worker.',
    'false',
  ]);
});

test('the entry with the modules in it needs no files', async () => {
  const script = `
    globalThis.fetch = undefined;
    const { checkSignatures, readPsbt } = await import(${quoted('inline.js')});
    const bytes = Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0));
    console.log(readPsbt(bytes, 'mainnet').feeSats, (await checkSignatures(bytes)).inputs.length);`;
  assert.deepEqual(await outputOf(script), ['1010000n 4']);
});

test('CommonJS of a Node that can require modules takes it', { skip: !process.features.require_module }, async () => {
  const script = `
    const { readPsbt } = require(${JSON.stringify(fileURLToPath(inPackage('node.js')))});
    console.log(readPsbt(Buffer.from('${base64}', 'base64'), 'mainnet').feeSats);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=commonjs', '--eval', script]);
  assert.equal(stdout.trim(), '1010000n');
});

test('a defect is one clear error, and the next file is read as if nothing had been', () => {
  class Broken extends Uint8Array {
    get length() {
      throw new RangeError('broken');
    }
  }
  const expected = node.readPsbt(bytes, 'mainnet');
  for (let round = 0; round < 100; round += 1) {
    const error = thrownBy(() => node.readPsbt(new Broken(5), 'mainnet'));
    assert.ok(error instanceof node.PsbtError);
    assert.equal(error.code, 'internal');
    assert.ok(error.cause instanceof RangeError);
    assert.deepEqual(node.readPsbt(bytes, 'mainnet'), expected);
  }
});

test('a trap is one clear error, and the next file is read as if nothing had been', async () => {
  // No input is known that traps, so the module runs out of memory instead.
  const glue = await import(inPackage('psbt_wasm.js'));
  exhaust(glue.initSync().memory);
  const error = thrownBy(() => node.readPsbt(LARGE, 'mainnet'));
  assert.equal(error.code, 'internal');
  assert.ok(error.cause instanceof WebAssembly.RuntimeError, String(error.cause));
  assert.equal(node.readPsbt(bytes, 'mainnet').feeSats, 1_010_000n);
});

test('a large file is read, and reading it again does not grow the memory for ever', async () => {
  const glue = await import(inPackage('psbt_wasm.js'));
  const text = new Uint8Array(30 * 1024 * 1024).fill(0x41);
  const size = () => glue.initSync().memory.buffer.byteLength;
  assert.equal(thrownBy(() => node.readPsbt(text, 'mainnet')).code, 'invalid-magic');
  const once = size();
  for (let round = 0; round < 3; round += 1) thrownBy(() => node.readPsbt(text, 'mainnet'));
  assert.equal(size(), once);
});

/** The address of a file of the package, as source text. */
function quoted(path) {
  return JSON.stringify(inPackage(path).href);
}

/** The lines that a script of its own process prints. */
async function outputOf(script, ...options) {
  const parameters = ['--no-warnings', ...options, '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, parameters);
  return stdout.trim().split('\n');
}
