// How long the module of the first load takes to compile and to be instantiated, in Chromium.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launch } from '../packaging/browser.mjs';
import { serve } from '../packaging/serve.mjs';

/** The shortest of some rounds in fresh pages, in milliseconds. */
export async function startTime(rounds) {
  const server = await serve({ '/': fileURLToPath(new URL('../pkg/', import.meta.url)) });
  const bytes = await readFile(new URL('../pkg/psbt_wasm_bg.wasm', import.meta.url));
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  const browser = await launch();
  try {
    let best = Infinity;
    for (let round = 0; round < rounds; round += 1) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${server.origin}/package.json`);
      best = Math.min(best, await page.evaluate(compileAndInstantiate, imports));
      await context.close();
    }
    return best;
  } finally {
    await browser.close();
    server.close();
  }
}

/** Runs in the page. The functions that the module imports are not called before its own functions are. */
async function compileAndInstantiate(imports) {
  const bytes = await (await fetch('/psbt_wasm_bg.wasm')).arrayBuffer();
  const given = {};
  for (const { module, name, kind } of imports) {
    given[module] ??= {};
    given[module][name] = kind === 'function' ? () => {} : undefined;
  }
  const start = performance.now();
  await WebAssembly.instantiate(bytes, given);
  return performance.now() - start;
}
