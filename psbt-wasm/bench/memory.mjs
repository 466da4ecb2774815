// How much memory one reading takes, in a process of its own: `node memory.mjs READER FILE` prints the most memory that the process has had, how
// much of it came with the file, and the size of the WebAssembly memories, in bytes.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { READERS } from './lib/all.js';

const self = fileURLToPath(import.meta.url);

/** By file and reader: the most memory of the process, its growth by the file, and WebAssembly's, in bytes; null where a reader does not read the file. */
export async function memory(files) {
  const found = {};
  for (const file of files) {
    found[file] = {};
    for (const [index, module] of READERS.entries()) {
      const { about } = await module();
      const parameters = ['--experimental-wasm-modules', '--no-warnings', self, String(index), file];
      const outcome = await promisify(execFile)(process.execPath, parameters).catch(() => null);
      found[file][about.name] = outcome && JSON.parse(outcome.stdout);
    }
  }
  return found;
}

/** Notes the memory of every instance that is made from now on. */
function watchMemories() {
  const memories = new Set();
  const note = (instance) => {
    for (const value of Object.values(instance.exports)) {
      if (value instanceof WebAssembly.Memory) memories.add(value);
    }
    return instance;
  };
  const { Instance, instantiate } = WebAssembly;
  WebAssembly.Instance = function watched(...parameters) {
    return note(new Instance(...parameters));
  };
  WebAssembly.instantiate = async (...parameters) => {
    const result = await instantiate(...parameters);
    note(result.instance ?? result);
    return result;
  };
  return () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}

/** The most memory that this process has had. What Node reports on Linux includes what its parent had. */
export function peak() {
  const status = '/proc/self/status';
  if (!existsSync(status)) return process.resourceUsage().maxRSS * 1024;
  return Number(readFileSync(status, 'utf8').match(/^VmHWM:\s+(\d+) kB/m)[1]) * 1024;
}

if (process.argv[1] === self) {
  const wasm = watchMemories();
  const { load } = await READERS[Number(process.argv[2])]();
  const read = await load();
  const bytes = new Uint8Array(await readFile(new URL(`fixtures/${process.argv[3]}.psbt`, import.meta.url)));
  const before = peak();
  read(bytes);
  console.log(JSON.stringify({ peak: peak(), growth: peak() - before, wasm: wasm() }));
}
