// The package in Chromium: in a Vite app, in a worker, and in a page without any tool.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build, createServer } from 'vite';
import wasm from 'vite-plugin-wasm';
import { launch } from './browser.mjs';
import { consumer } from './consumer.mjs';
import { serve } from './serve.mjs';

const seed = new URL('../fuzz/seeds/every-kind.psbt', import.meta.url);
const base64 = readFileSync(seed).toString('base64');

/** What README.md says that a page needs; the image is the pages' empty icon. */
const POLICY = {
  'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; img-src data:",
};

/** A page that never answers must not block the tests. */
const LIMIT = { timeout: 90_000 };

const EXPECTED = {
  inputs: 7,
  totalInputSats: '700000',
  complete: true,
  private: { extendedPublicKeys: 0, derivationPaths: 0, proprietary: 0, unknown: 0, previousTransactions: 0 },
  coins: 7,
  code: 'invalid-magic',
};

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser?.close());

/** A page at this address, which is closed after the test, and what went wrong in it. */
async function open(context, address) {
  const page = await browser.newPage();
  context.after(() => page.close());
  page.setDefaultTimeout(20_000);
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(address);
  return { page, problems };
}

/** Waits until the page has defined this name. If it does not, the page's own errors say more than the timeout. */
async function ready(page, problems, name) {
  await page.waitForFunction((wanted) => window[wanted], name).catch((error) => {
    throw new Error(problems.join('; ') || error.message, { cause: error });
  });
}

async function bothThreads(context, address) {
  const { page, problems } = await open(context, address);
  await ready(page, problems, 'inWorker');
  assert.deepEqual(await page.evaluate((text) => window.here(text), base64), EXPECTED, String(problems));
  assert.deepEqual(await page.evaluate((text) => window.inWorker(text), base64), EXPECTED, String(problems));
  assert.deepEqual(problems, []);
}

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

const settings = (root) => ({
  root,
  configFile: false,
  logLevel: 'error',
  build: { target: 'es2022' },
});

/** The ways in which a Vite app can have the package: the entry that it imports, the plugins that it needs, and what it sets for workers. */
const VITE_APPS = {
  'a Vite app': { entry: 'psbt-wasm', plugins: () => [] },
  'a Vite app with vite-plugin-wasm': { entry: 'psbt-wasm/bundler', plugins: () => [wasm()], worker: { format: 'es' } },
  'a Vite app that leaves WebAssembly to Vite': { entry: 'psbt-wasm/bundler', plugins: () => [], worker: { format: 'es' } },
};

for (const [name, { entry, plugins, worker }] of Object.entries(VITE_APPS)) {
  const app = () => {
    const directory = consumer('vite');
    const file = join(directory, 'answers.js');
    writeFileSync(file, readFileSync(file, 'utf8').replace("'psbt-wasm'", `'${entry}'`));
    const shared = settings(directory);
    return { ...shared, plugins: plugins(), worker: { ...worker, plugins } };
  };

  test(`${name} reads files when it is built and served with a strict policy`, LIMIT, async (context) => {
    const project = app();
    await build(project);
    const server = await serve({ '/': join(project.root, 'dist') }, POLICY);
    context.after(server.close);
    await bothThreads(context, `${server.origin}/index.html`);
  });

  test(`${name} reads files in development`, LIMIT, async (context) => {
    const server = await createServer({
      ...app(),
      // Otherwise Vite reloads the page in the middle of the test, when it discovers the package.
      optimizeDeps: { exclude: ['psbt-wasm'] },
      server: { host: '127.0.0.1', port: 0, hmr: false },
    });
    context.after(() => server.close());
    await server.listen();
    await bothThreads(context, server.resolvedUrls.local[0]);
  });
}

test('a page without tools reads files, and goes on with a new instance after a trap', LIMIT, async (context) => {
  const server = await serve({ '/': consumer('plain') });
  context.after(server.close);
  const { page, problems } = await open(context, `${server.origin}/index.html`);
  await ready(page, problems, 'page');
  const read = () => page.evaluate((text) => window.page.read(text), base64);
  const expected = await read();
  assert.equal(expected.totalInputSats, 700_000n);
  assert.equal((await page.evaluate((text) => window.page.check(text), base64)).complete, true);

  assert.equal(await page.evaluate(() => window.page.trap()), 'internal');
  assert.deepEqual(await read(), expected);
  assert.deepEqual(problems, []);
});

test('the example for browsers in README.md runs', LIMIT, async (context) => {
  const directory = consumer('plain');
  const [, example] = readme.match(/```html\n(.*?)```/s);
  writeFileSync(join(directory, 'example.html'), example);
  const server = await serve({ '/': directory });
  context.after(server.close);
  const { page } = await open(context, `${server.origin}/example.html`);
  const shown = (text) =>
    page.waitForFunction((wanted) => document.querySelector('pre').textContent.includes(wanted), text);
  await page.setInputFiles('input', { name: 'wallet.psbt', mimeType: '', buffer: readFileSync(seed) });
  await shown('fee: 7000 sats');
  await page.setInputFiles('input', { name: 'other.psbt', mimeType: '', buffer: Buffer.from('something') });
  await shown('(invalid-magic)');
});
