// `npm run bench` in psbt-wasm: measures the built package beside others and prints tables of Markdown. Minimum of
// interleaved rounds; what is compared is from one run.
//
//   ROUNDS        rounds of each measurement (default 5)
//   CHROMIUM_PATH the browser (default /usr/bin/chromium)

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { FILES } from './lib/all.js';
import { short, table, kilobytes } from './lib/table.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const rounds = Number(process.env.ROUNDS ?? 5);
const log = (text) => console.error(text);

prepare();
// Only now are the other packages there.
const { inBrowser } = await import('./browser.mjs');
const { bounds: measureBounds } = await import('../tests/node/bounds/measure.mjs');
const { firstCalls } = await import('./first.mjs');
const { goals, ratio } = await import('./goals.mjs');
const { memory: measureMemory } = await import('./memory.mjs');
const { sizes: measureSizes } = await import('./sizes.mjs');
const { startTime } = await import('./start.mjs');

log('sizes');
const sizes = await measureSizes();
log('memory');
const memory = await measureMemory(['10000-inputs', '100-x-100kB']);
log('bounds');
const bounds = await measureBounds(log);
log('first calls');
const first = await firstCalls(rounds);
log('Node');
const node = inNode();
log('Chromium');
const browser = await inBrowser(rounds, log);
const start = await startTime(rounds);
print();

function prepare() {
  if (!existsSync(here('../pkg/package.json'))) throw new Error('psbt-wasm/pkg is not built: npm run build');
  const run = (program, parameters, cwd) =>
    execFileSync(program, parameters, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  run('node', ['tests/node/link.mjs'], here('..'));
  if (!existsSync(here('node_modules'))) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], here('.'));
  log('making the files');
  const example = ['run', '--quiet', '--release', '--package', 'psbt-wasm', '--example', 'fixtures'];
  run('cargo', [...example, '--', 'bench', here('fixtures')], here('..'));
}

/** In a process of its own, because some packages import WebAssembly as modules, which Node 20 allows on demand. */
function inNode() {
  const parameters = ['--experimental-wasm-modules', '--no-warnings', here('node.mjs'), String(rounds)];
  const { status, stdout } = spawnSync(process.execPath, parameters, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('the part in Node failed');
  return JSON.parse(stdout);
}

function print() {
  const [{ model }] = cpus();
  console.log(`${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${model}`);
  console.log(`Node ${process.versions.node}, Chromium ${browser.version}, best of ${rounds} rounds\n`);
  console.log(`### First call in a fresh process, Node, milliseconds of processor (with loading)\n\n${firstTable(first, ({ load, call }) => `${short(call)} (${short(load + call)})`)}\n`);
  console.log(`### First visit, Chromium, milliseconds of the call (and from navigation)\n\n${firstTable(browser.cold, ({ visit, call }) => `${short(call)} (${short(visit)})`)}\n`);
  console.log(`### Next visit, Chromium, everything cached\n\n${firstTable(browser.cold, ({ again, callAgain }) => `${short(callAgain)} (${short(again)})`)}\n`);
  for (const [title, { reading, checking }] of [
    [`Chromium ${browser.version.split('.')[0]}`, browser],
    [`Node ${process.versions.node.split('.')[0]}`, node],
  ]) {
    console.log(`### Reading, ${title}, milliseconds\n\n${timesTable(reading)}\n`);
    console.log(`### Signature checks with reading, ${title}, milliseconds\n\n${timesTable(checking)}\n`);
  }
  const names = Object.keys(sizes);
  const sizeRow = (name) => [name, ...['raw', 'gzip', 'brotli'].map((kind) => kilobytes(sizes[name][kind]))];
  console.log(`### Download, kB\n\n${table(['package', 'raw', 'gzip', 'Brotli'], names.map(sizeRow))}\n`);
  console.log(`### Memory for one file, MB: growth of the process (WebAssembly memory)\n\n${memoryTable()}\n`);
  console.log(`### Speed as a ratio: the quickest other package to psbt-wasm, Chromium\n\n${ratioTable()}\n`);
  const reached = goals({ sizes, browser, node, first, memory, start, bounds });
  const rows = reached.map(([what, wanted, found, met]) => [what, wanted, found, met ? 'yes' : '**no**']);
  console.log(`### Goals\n\n${table(['', 'goal', 'this run', 'met'], rows)}\n`);
  console.log(`${reached.filter(([, , , met]) => met).length} of ${reached.length} goals are met.`);
}

function firstTable(found, cell) {
  const files = Object.keys(found);
  return table(['', ...files], Object.keys(found[files[0]]).map((name) => [name, ...files.map((file) => cell(found[file][name]))]));
}

function timesTable(times) {
  const files = Object.keys(times);
  const names = Object.keys(times[files[0]]);
  return table(
    ['', ...files],
    names.map((name) => [name, ...files.map((file) => short(times[file][name]))]),
  );
}

function memoryTable() {
  const files = Object.keys(memory);
  const cell = (found) => (found ? `${short(found.growth / 1e6)} (${short(found.wasm / 1e6)})` : '–');
  return table(
    ['', ...files],
    Object.keys(memory[files[0]]).map((name) => [name, ...files.map((file) => cell(memory[file][name]))]),
  );
}

function ratioTable() {
  const files = FILES.filter((file) => Number.isFinite(ratio(browser, file, 'psbt-wasm')));
  return table(['', ...files], [['psbt-wasm', ...files.map((file) => short(ratio(browser, file, 'psbt-wasm')))]]);
}
