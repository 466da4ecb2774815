// The part that drives Chromium: the same measurements as in Node, and the cold start.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import wasm from 'vite-plugin-wasm';
import { launch } from '../packaging/browser.mjs';
import { serve } from '../packaging/serve.mjs';
import { FIRST_FILES } from './first.mjs';
import { READERS } from './lib/all.js';

/** An isolated page has a finer clock. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** What `measure` finds in Chromium, with `cold`: what `coldStarts` finds. */
export async function inBrowser(rounds, log) {
  const directory = await mkdtemp(join(tmpdir(), 'psbt-wasm-bench-'));
  await build({
    root: here('page'),
    configFile: false,
    logLevel: 'error',
    // tiny-secp256k1 reads exported globals as objects, which Vite's own support does not give.
    plugins: [wasm()],
    build: {
      target: 'esnext',
      outDir: directory,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      rolldownOptions: { input: [here('page/index.html'), here('page/cold.html')] },
    },
  });
  const server = await serve({ '/fixtures/': here('fixtures/'), '/': directory }, ISOLATED);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    page.on('console', (message) => log(message.text()));
    await page.goto(`${server.origin}/index.html`);
    await page.waitForFunction(() => window.run);
    const results = await page.evaluate((count) => window.run(count), rounds);
    await page.close();
    return { ...results, cold: await coldStarts(browser, server.origin, rounds), version: browser.version() };
  } finally {
    await browser.close();
    server.close();
    await rm(directory, { recursive: true });
  }
}

/** By file and reader: milliseconds of the first visit and of its call, `{visit, call}`, and of the next visit, which has all files cached, `{again, callAgain}`. */
async function coldStarts(browser, origin, rounds) {
  const names = await Promise.all(READERS.map(async (module) => (await module()).about.name));
  const best = {};
  for (const file of FIRST_FILES) {
    best[file] = {};
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, name] of names.entries()) {
        const context = await browser.newContext();
        const visit = async () => {
          const page = await context.newPage();
          await page.goto(`${origin}/cold.html?reader=${index}&file=${file}`);
          const cold = await (await page.waitForFunction(() => window.cold)).jsonValue();
          await page.close();
          return cold;
        };
        const [first, next] = [await visit(), await visit()];
        const found = { ...first, again: next.visit, callAgain: next.call };
        best[file][name] ??= found;
        for (const [key, ms] of Object.entries(found)) best[file][name][key] = Math.min(best[file][name][key], ms);
        await context.close();
      }
    }
  }
  return best;
}
