// How long the functions take for the inputs that ask for as much work as they can, and how much memory: each call in a process of its own.
// `node measure.mjs FILE GROUP CALL` prints the processor time, and the growth of the process with the file.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { peak } from '../../../bench/memory.mjs';
import { GROUPS } from './inputs.mjs';

const self = fileURLToPath(import.meta.url);

/** What no call may take for an input of 32 MiB. */
export const LIMITS = { ms: 5_000, bytes: 600_000_000 };

/** Calls every function with every input of its kind, and gives `{input, call, ms, bytes}` to `each`; of inputs whose name has this in it. */
export async function measure(each, part = '') {
  const directory = await mkdtemp(join(tmpdir(), 'psbt-wasm-bounds-'));
  const path = join(directory, 'input');
  try {
    for (const [group, { inputs, calls, size, isJson }] of GROUPS.entries()) {
      for (const [input, make] of Object.entries(inputs).filter(([input]) => input.includes(part))) {
        const content = make(size);
        // For an input that has only one size.
        if (content.length > size) continue;
        await writeFile(path, isJson ? JSON.stringify(content) : content);
        for (const call of Object.keys(calls)) {
          const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', self, path, String(group), call]);
          await each({ input, call, ...JSON.parse(stdout) });
        }
      }
    }
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** The longest call of all and the most memory: `{ms, call, bytes}`. */
export async function bounds(log) {
  const worst = { ms: 0, call: '', bytes: 0 };
  await measure(({ input, call, ms, bytes }) => {
    log(`${input}: ${call} ${Math.round(ms)} ms, ${Math.round(bytes / 1e6)} MB`);
    if (ms > worst.ms) Object.assign(worst, { ms, call: `${call}, ${input}` });
    worst.bytes = Math.max(worst.bytes, bytes);
  });
  return worst;
}

async function main([path, group, name]) {
  const { calls, isJson } = GROUPS[group];
  const ours = await import('psbt-wasm/sync');
  const content = new Uint8Array(await readFile(path));
  const given = isJson ? JSON.parse(Buffer.from(content).toString()) : content;
  const before = peak() - content.length;
  const start = process.cpuUsage();
  // Refusals are measured as well.
  const outcome = await new Promise((resolve) => resolve(calls[name](ours, given))).then(() => 'answered', ({ code }) => code);
  const { user, system } = process.cpuUsage(start);
  console.log(JSON.stringify({ outcome, ms: (user + system) / 1000, bytes: peak() - before }));
}

if (process.argv[1] === self) await main(process.argv.slice(2));
