// The first call in a fresh process: `node first.mjs READER FILE` prints the processor time, in milliseconds, from before the package is
// imported until every outpoint, value and address has been read. Engines compile on other threads meanwhile, which counts.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { READERS } from './lib/all.js';
import { looked } from './lib/looked.js';

const self = fileURLToPath(import.meta.url);

export const FIRST_FILES = ['1-input', '1000-inputs', '10000-inputs'];

/** By file and reader: `{load, call}`, the least of rounds that take turns. */
export async function firstCalls(rounds) {
  const found = {};
  for (const file of FIRST_FILES) {
    found[file] = {};
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, module] of READERS.entries()) {
        const { about } = await module();
        const parameters = ['--experimental-wasm-modules', '--no-warnings', self, String(index), file];
        const { stdout } = await promisify(execFile)(process.execPath, parameters);
        const { load, call } = JSON.parse(stdout);
        const best = (found[file][about.name] ??= { load, call });
        best.load = Math.min(best.load, load);
        best.call = Math.min(best.call, call);
      }
    }
  }
  return found;
}

function processor() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

if (process.argv[1] === self) {
  const [, , reader, file] = process.argv;
  const bytes = new Uint8Array(readFileSync(new URL(`fixtures/${file}.psbt`, import.meta.url)));
  const start = processor();
  const { load } = await READERS[Number(reader)]();
  const read = await load();
  const loaded = processor();
  looked(read(bytes));
  console.log(JSON.stringify({ load: loaded - start, call: processor() - loaded }));
}
