/**
 * npm run lighthouse [-- PATH...]: how quick pages of the built product are for somebody signed in, on a phone and on a desktop. The
 * product runs already (`./start`), at E2E_BASE_URL or http://127.0.0.1:8080; Chromium is found as by the end-to-end tests. Ends with status 1
 * when a page is below 95.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { runnerImport } from 'vite';

const { module } = await runnerImport(join(import.meta.dirname, '../e2e/browser.ts'), { configFile: false });
const { BASE_URL, browserOptions, signIn } = module;
const LEAST = 95;
const RUNS = 3;
const paths = process.argv.length > 2 ? process.argv.slice(2) : ['/upload'];

// It has some two hundred dependencies, which nobody needs who does not measure.
if (!existsSync(join(import.meta.dirname, 'node_modules'))) {
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: import.meta.dirname, stdio: 'inherit' });
}
const { default: lighthouse, desktopConfig } = await import('lighthouse');

const folder = await mkdtemp(join(tmpdir(), 'proof-lighthouse-'));
const options = browserOptions(['--remote-debugging-port=0']);
const browser = await chromium.launchPersistentContext(folder, { ...options, baseURL: BASE_URL });
let low = 0;
try {
  const page = await browser.newPage();
  await signIn(page);
  // What stays open is not measured.
  await page.close();
  const [port] = (await readFile(join(folder, 'DevToolsActivePort'), 'utf8')).split('\n');
  for (const path of paths) {
    for (const [device, config] of [['phone', undefined], ['desktop', desktopConfig]]) {
      const scores = [];
      let figures = '';
      for (let run = 0; run < RUNS; run += 1) {
        const flags = {
          port: Number(port),
          onlyCategories: ['performance'],
          disableStorageReset: true,
          // Production has no samples, which come late and above the form.
          blockedUrlPatterns: ['*/development-samples*'],
          logLevel: 'error',
        };
        const { lhr } = await lighthouse(`${BASE_URL}${path}`, flags, config);
        if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
        if (!lhr.finalDisplayedUrl.endsWith(path)) throw new Error(`${path} has led to ${lhr.finalDisplayedUrl}`);
        scores.push(Math.round(lhr.categories.performance.score * 100));
        figures = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift', 'speed-index']
          .map((id) => `${id} ${lhr.audits[id].displayValue}`)
          .join(', ');
      }
      const median = scores.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)];
      if (median < LEAST) low += 1;
      process.stdout.write(`${path} on a ${device}: ${median} (of ${scores.join(', ')}); the last: ${figures}\n`);
    }
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
process.exit(low === 0 ? 0 : 1);
