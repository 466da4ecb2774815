// How many steps a module takes for a file: entries of functions and rounds of loops, counted by code that wasm-opt writes into the
// module. They are the same in every run and on every machine, which time is not.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// What modules may use; with more, the tool writes what Node 20 does not read.
const FEATURES = [
  'simd',
  'bulk-memory',
  'bulk-memory-opt',
  'reference-types',
  'mutable-globals',
  'nontrapping-float-to-int',
  'sign-ext',
  'multivalue',
  'call-indirect-overlong',
].map((feature) => `--enable-${feature}`);

const optimizer = fileURLToPath(new URL('../../node_modules/.bin/wasm-opt', import.meta.url));

/** A module of the package that counts: `count(name, ...values)` calls a function of it, in a fresh instance. */
export function counting(name) {
  const directory = mkdtempSync(join(tmpdir(), 'psbt-wasm-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const counted = join(directory, `${name}.wasm`);
  const original = fileURLToPath(new URL(`${name}_bg.wasm`, import.meta.resolve('psbt-wasm/package.json')));
  execFileSync(optimizer, [original, ...FEATURES, '--log-execution', '-o', counted]);
  const module = new WebAssembly.Module(readFileSync(counted));

  let steps = 0;
  let instance = null;
  let answer = null;
  const imports = {};
  for (const { module: from, name: imported } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][imported] = () => {};
    if (imported === 'log_execution') imports[from][imported] = () => void (steps += 1);
    else if (imported.includes('give')) {
      imports[from][imported] = (kind, at, length) => {
        answer = { kind, bytes: new Uint8Array(instance.exports.memory.buffer).slice(at, at + length) };
      };
    }
  }
  return (call, ...values) => {
    instance = new WebAssembly.Instance(module, imports);
    const { memory, __wbindgen_malloc: allocate, [call]: run } = instance.exports;
    const parameters = values.flatMap((value) => {
      if (typeof value === 'number') return value;
      const at = allocate(value.length, 1) >>> 0;
      new Uint8Array(memory.buffer).set(value, at);
      return [at, value.length];
    });
    steps = 0;
    answer = null;
    run(...parameters);
    // Checks run in portions.
    while (!answer && instance.exports.goOn?.());
    return { steps, ...answer };
  };
}
