// The packed package where other people's products run: a worker as Cloudflare runs them, a page that esbuild has put together, and an
// app of Next.js, by both of its bundlers, on the server and in the browser. `npm run elsewhere` in psbt-wasm; it needs Chromium
// (CHROMIUM_PATH).

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { launch } from '../browser.mjs';
import { packed, temporary } from '../consumer.mjs';
import { serve } from '../serve.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const require = createRequire(import.meta.url);
const file = readFileSync(here('../../fuzz/seeds/every-kind.psbt'));
const base64 = file.toString('base64');
const EXPECTED = '7 true 700000';

/** A copy of one of the folders beside this file, with the package unpacked, and what else is installed here. */
function consumer(name) {
  const directory = temporary();
  cpSync(here('node_modules'), join(directory, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  const folder = join(directory, 'node_modules/psbt-wasm');
  mkdirSync(folder);
  execFileSync('tar', ['-xf', packed().path, '-C', folder, '--strip-components=1']);
  cpSync(here(name), directory, { recursive: true });
  return directory;
}

/** A page of a browser that ends with the test. */
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

test('esbuild puts a page together', async (context) => {
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

test('a worker as Cloudflare runs them', async (context) => {
  const directory = consumer('worker');
  await build({
    absWorkingDir: directory,
    entryPoints: ['main.js'],
    outfile: 'worker.js',
    bundle: true,
    format: 'esm',
    conditions: ['workerd'],
    // Left as imports, which this platform answers with modules.
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
    const directory = consumer('next');
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
    assert.equal(await answered(context, origin), EXPECTED);
  });
}
