// The packed package where other people's products run: a worker as Cloudflare runs them, and a page that esbuild has put together. `npm run elsewhere` in psbt-wasm; it needs Chromium (CHROMIUM_PATH).

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
  const page = await open(context, `${server.origin}/index.html`);
  await page.waitForFunction(() => window.answers);
  assert.equal(await page.evaluate((text) => window.answers(text), base64), EXPECTED);
});

test('a worker as Cloudflare runs them', async (context) => {
  const directory = consumer('worker');
  await build({
    absWorkingDir: directory,
    entryPoints: ['main.js'],
    outfile: 'worker.js',
    bundle: true,
    format: 'esm',
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
