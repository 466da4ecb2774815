// The packed package in every set-up that README.md names and that `npm test` leaves out: programs and test runners, bundlers of pages, an
// import map, a worker as Cloudflare runs them, and an app of Next.js, by both of its bundlers, on the server and in the browser.
// `npm run elsewhere` in psbt-wasm; it needs Chromium (CHROMIUM_PATH).

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { rspack } from '@rspack/core';
import { importMetaAssets } from '@web/rollup-plugin-import-meta-assets';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import webpack from 'webpack';
import { launch } from '../browser.mjs';
import { packed, temporary } from '../consumer.mjs';
import { serve } from '../serve.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const require = createRequire(import.meta.url);
const file = readFileSync(here('../../fuzz/seeds/every-kind.psbt'));
const readme = readFileSync(here('../../README.md'), 'utf8');
const base64 = file.toString('base64');
const EXPECTED = '7 true 700000';

const { packages: locked } = JSON.parse(readFileSync(here('package-lock.json')));

/** Installed packages and all that they need, by their names. */
function closure(names, found = new Set()) {
  for (const name of names) {
    const folder = `node_modules/${name}`;
    if (found.has(name) || !existsSync(here(folder))) continue;
    found.add(name);
    const within = Object.keys(locked).filter((path) => path === folder || path.startsWith(`${folder}/`));
    closure(within.flatMap((path) => Object.keys({ ...locked[path].dependencies, ...locked[path].optionalDependencies })), found);
  }
  return found;
}

/** A copy of a folder next to this file, with our package unpacked in its node_modules, next to copies of these installed packages. */
function consumer(name, ...packages) {
  const directory = temporary();
  for (const name of closure(packages)) {
    cpSync(here(`node_modules/${name}`), join(directory, 'node_modules', name), { recursive: true, verbatimSymlinks: true });
  }
  const folder = join(directory, 'node_modules/psbt-wasm');
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xf', packed().path, '-C', folder, '--strip-components=1']);
  cpSync(here(name), directory, { recursive: true });
  cpSync(here('answers.js'), join(directory, 'answers.js'));
  writeFileSync(join(directory, 'wallet.psbt'), file);
  return directory;
}

/** Opens a page; the browser ends with the test. */
async function open(context, address) {
  const browser = await launch();
  context.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(address);
  return page;
}

/** What the page at this address answers about the file. */
async function answered(context, address) {
  const page = await open(context, address);
  await page.waitForFunction(() => window.answers);
  return page.evaluate((text) => window.answers(text), base64);
}

/** A program that ends with the test. */
function started(context, ...parameters) {
  const program = spawn(...parameters);
  context.after(() => program.kill());
  return program;
}

const NODE = process.execPath;
const bin = (path) => here(`node_modules/${path}`);

/** Programs and test runners, each with what it is called with, and the packages that its tests import. */
const COMMANDS = {
  'Node, import': [NODE, ['main.js']],
  'Node, require': [NODE, ['main.cjs']],
  'Bun, import': [bin('.bin/bun'), ['main.js']],
  'Bun, require': [bin('.bin/bun'), ['main.cjs']],
  'Deno, import': [bin('.bin/deno'), ['run', '--allow-read', 'main.js']],
  'Deno, require': [bin('.bin/deno'), ['run', '--allow-read', 'main.cjs']],
  'Jest': [NODE, ['node_modules/jest/bin/jest.js', 'psbt.test.cjs'], 'jest'],
  'Vitest': [NODE, ['node_modules/vitest/vitest.mjs', 'run', '--globals', 'psbt.test.js'], 'vitest'],
};

for (const [name, [program, parameters, ...packages]] of Object.entries(COMMANDS)) {
  test(name, () => {
    const cwd = consumer('command', ...packages);
    const printed = execFileSync(program, parameters, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    assert.ok(printed.includes(EXPECTED), printed);
  });
}

/** What makes `out/main.js` of `main.js`, in this directory, without settings for the package. */
const pack = (bundler) => (context) =>
  new Promise((resolve, reject) => {
    const output = { path: join(context, 'out'), publicPath: 'auto', filename: 'main.js' };
    bundler({ mode: 'production', context, entry: './main.js', output }, (error, stats) => {
      if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString()));
      else resolve();
    });
  });

/** Bundlers of pages. Each returns which directory has the page, if it is not that of `out`. */
const BUNDLERS = {
  webpack: pack(webpack),
  Rspack: pack(rspack),
  async Rollup(directory) {
    const plugins = [nodeResolve({ browser: true }), importMetaAssets()];
    const bundle = await rollup({ input: join(directory, 'main.js'), plugins });
    await bundle.write({ dir: join(directory, 'out'), format: 'es' });
  },
  Parcel(directory) {
    const parameters = ['build', 'index.html', '--dist-dir', 'out', '--no-cache', '--public-url', './'];
    execFileSync(bin('.bin/parcel'), parameters, { cwd: directory, stdio: 'pipe' });
    return join(directory, 'out');
  },
  async 'esbuild, with the entry sync'(directory) {
    const main = join(directory, 'answers.js');
    writeFileSync(main, readFileSync(main, 'utf8').replace("'psbt-wasm'", "'psbt-wasm/sync'"));
    await build({ absWorkingDir: directory, entryPoints: ['main.js'], bundle: true, format: 'esm', outdir: 'out', logLevel: 'error' });
  },
};

for (const [name, bundle] of Object.entries(BUNDLERS)) {
  test(`a page put together by ${name}`, async (context) => {
    const directory = consumer('page');
    const own = await bundle(directory);
    if (!own) cpSync(join(directory, 'index.html'), join(directory, 'out/index.html'));
    const server = await serve({ '/': join(directory, 'out') });
    context.after(server.close);
    assert.equal(await answered(context, `${server.origin}/index.html`), EXPECTED);
  });
}

test('a page with an import map', async (context) => {
  const directory = consumer('page');
  const [map] = readme.match(/<script type="importmap">.*?<\/script>/s);
  const page = join(directory, 'index.html');
  writeFileSync(page, readFileSync(page, 'utf8').replace('<script', `${map}\n<script`));
  const server = await serve({ '/': directory });
  context.after(server.close);
  assert.equal(await answered(context, `${server.origin}/index.html`), EXPECTED);
});

test('esbuild, which is given the modules by their names', async (context) => {
  const directory = consumer('esbuild');
  await build({
    absWorkingDir: directory,
    entryPoints: ['main.js'],
    bundle: true,
    format: 'esm',
    outdir: 'out',
    loader: { '.wasm': 'file' },
    logLevel: 'error',
  });
  const server = await serve({ '/': directory });
  context.after(server.close);
  assert.equal(await answered(context, `${server.origin}/index.html`), EXPECTED);
});

test('esbuild without the addresses of the modules: init says what to do', async (context) => {
  const directory = consumer('page');
  await build({ absWorkingDir: directory, entryPoints: ['main.js'], bundle: true, format: 'esm', outdir: 'out', logLevel: 'error' });
  cpSync(join(directory, 'index.html'), join(directory, 'out/index.html'));
  const server = await serve({ '/': join(directory, 'out') });
  context.after(server.close);
  await assert.rejects(answered(context, `${server.origin}/index.html`), /could not be loaded.*pass its address/);
});

test('a worker as Cloudflare runs them', async (context) => {
  const directory = consumer('worker');
  await build({
    absWorkingDir: directory,
    entryPoints: ['main.js'],
    outfile: 'worker.js',
    bundle: true,
    format: 'esm',
    conditions: ['workerd'],
    // Imports of `.wasm` stay, because this platform resolves them itself.
    loader: { '.wasm': 'copy' },
    assetNames: '[name]',
    logLevel: 'error',
  });
  const program = started(context, require('workerd').default, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: directory,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const lines = createInterface(program.stdio[3]);
  const { value } = await lines[Symbol.asyncIterator]().next();
  lines.close();
  program.stdio[3].destroy();
  const answer = await fetch(`http://127.0.0.1:${JSON.parse(value).port}/`, { method: 'POST', body: file });
  assert.equal(await answer.text(), EXPECTED);
});

for (const bundler of ['turbopack', 'webpack']) {
  test(`Next.js, built by ${bundler}`, async (context) => {
    const directory = consumer('next', 'next', 'react', 'react-dom');
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
    const next = [join(directory, 'node_modules/next/dist/bin/next')];
    execFileSync(process.execPath, [...next, 'build', `--${bundler}`], { cwd: directory, env, stdio: 'pipe' });
    const program = started(context, process.execPath, [...next, 'start', '--hostname', '127.0.0.1', '--port', '0'], {
      cwd: directory,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let origin = null;
    for await (const line of createInterface(program.stdout)) {
      origin = line.match(/http:\/\/127\.0\.0\.1:[1-9]\d*/)?.[0] ?? origin;
      if (line.includes('Ready')) break;
    }
    const answer = await fetch(`${origin}/server`, { method: 'POST', body: file });
    assert.equal(await answer.text(), EXPECTED);
    const component = await fetch(`${origin}/component`);
    assert.ok((await component.text()).includes(`<p>${EXPECTED}</p>`));
    assert.equal(await answered(context, origin), EXPECTED);
  });
}
