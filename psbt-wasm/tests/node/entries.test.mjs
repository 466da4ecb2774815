// The entries of the package, and what happens when the module breaks.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as node from 'psbt-wasm/sync';
import { LARGE, binary, exhaust, fixture, memories, thrownBy } from './support.mjs';

const base64 = fixture('mixed.psbt');
const bytes = binary(base64);
const manifest = createRequire(import.meta.url)('psbt-wasm/package.json');
const here = fileURLToPath(new URL('.', import.meta.url));
const inPackage = (path) => new URL(path, import.meta.resolve('psbt-wasm/package.json'));

/** All files that the exports of the manifest name. */
const paths = (entry) => (typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(paths));

test('every file that the manifest names is there', async () => {
  const names = ['.', './sync', './bundler', './psbt_wasm_bg.wasm', './bundler/log', './bundler/tools', './psbt_wasm_tools_bg.wasm', './psbt_wasm_log_bg.wasm', './package.json'];
  assert.deepEqual(Object.keys(manifest.exports), names);
  for (const path of paths(manifest.exports)) assert.ok((await readFile(inPackage(path))).length > 0, path);
});

test('every entry has the same functions', async () => {
  const names = Object.keys(node);
  for (const name of ['index.js', 'node.js', 'sync.js', 'bundler.js']) {
    assert.deepEqual(Object.keys(await import(inPackage(name))), names, name);
  }
  for (const name of ['node.cjs', 'node-sync.cjs']) {
    assert.deepEqual(Object.keys(createRequire(import.meta.url)(fileURLToPath(inPackage(name)))).sort(), names, name);
  }
});

test('nothing is loaded before it is needed, and readPsbt says what it needs', async () => {
  const script = `
    let loaded = 0;
    const { compile } = WebAssembly;
    WebAssembly.compile = (...given) => { loaded += 1; return compile(...given); };
    const { init, readPsbt, verifyMessage } = await import('psbt-wasm');
    try { readPsbt('', 'mainnet'); } catch (error) { console.log(error.message); }
    console.log((await verifyMessage('1', '', '')).status, loaded);
    await Promise.all([init(), init()]);
    await init();
    try { readPsbt('12345', 'mainnet'); } catch (error) { console.log(error.code, loaded); }`;
  assert.deepEqual(await outputOf(script), [
    'psbt-wasm is not loaded yet: await init() first, or import psbt-wasm/sync.',
    'invalid 1',
    'invalid-magic 2',
  ]);
});

test('a module that cannot be found is said so, and can be given afterwards', async () => {
  const script = `
    import { readFile } from 'node:fs/promises';
    globalThis.fetch = async () => new Response('<!doctype html>', { status: 404 });
    const { init, readPsbt } = await import(${quoted('index.js')});
    const error = await init().catch((error) => error);
    console.log(error.message, Boolean(error.cause));
    await init(readFile(new URL(${quoted('psbt_wasm_bg.wasm')})));
    try { readPsbt('12345', 'mainnet'); } catch (error) { console.log(error.code); }`;
  assert.deepEqual(await outputOf(script), [
    'psbt-wasm: a module could not be loaded. If your tool does not copy .wasm files, pass its address (README, "Set-ups"). true',
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
    const { checkSignatures, init, readPsbt, PsbtError } = await import(${quoted('index.js')});
    await init();
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
    const { checkSignatures, init, readPsbt, stripPsbt, PsbtError } = await import(${quoted('bundler.js')});
    await init();
    const { memory } = await import(${quoted('psbt_wasm_bg.wasm')});
    const { exhaust } = await import('${new URL('support.mjs', import.meta.url).href}');
    const bytes = Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0));
    console.log(readPsbt(bytes, 'mainnet').feeSats, readPsbt(stripPsbt(bytes), 'mainnet').privateFields.unknown);
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
    const { checkSignatures, readPsbt } = await import(${quoted('sync.js')});
    const bytes = Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0));
    console.log(readPsbt(bytes, 'mainnet').feeSats, (await checkSignatures(bytes)).inputs.length);`;
  assert.deepEqual(await outputOf(script), ['1010000n 4']);
});

test('CommonJS has it, with one class of errors', async () => {
  const script = `
    const { init, readPsbt, PsbtError } = require('psbt-wasm');
    const sync = require('psbt-wasm/sync');
    const bytes = Buffer.from('${base64}', 'base64');
    try { sync.readPsbt('12345', 'mainnet'); } catch (error) { console.log(error instanceof PsbtError); }
    init().then(() => console.log(readPsbt(bytes, 'mainnet').feeSats));`;
  for (const options of [[], ['--no-experimental-require-module']]) {
    const parameters = ['--no-warnings', ...options, '--input-type=commonjs', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: here });
    assert.deepEqual(stdout.trim().split('\n'), ['true', '1010000n'], String(options));
  }
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
  exhaust(memories.reader);
  const error = thrownBy(() => node.readPsbt(LARGE, 'mainnet'));
  assert.equal(error.code, 'internal');
  assert.ok(error.cause instanceof WebAssembly.RuntimeError, String(error.cause));
  assert.equal(node.readPsbt(bytes, 'mainnet').feeSats, 1_010_000n);
});

test('a large file is read, and reading it again does not grow the memory for ever', async () => {
  const text = new Uint8Array(30 * 1024 * 1024).fill(0x41);
  const size = () => memories.reader.buffer.byteLength;
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
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: here });
  return stdout.trim().split('\n');
}
