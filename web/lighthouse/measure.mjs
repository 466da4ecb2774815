/**
 * npm run lighthouse [-- PATH...]: Lighthouse scores of the built product, on a phone and on a desktop: /upload and /profile for a signed-in
 * user, others for a visitor. The product runs already (`./start`), at E2E_BASE_URL or http://127.0.0.1:8080; Chromium is found as by the end-to-end tests.
 * Ends with status 1 when a page is below 95 for speed or below 100 for anything else.
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
const LEAST = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
const RUNS = 5;
const SIGNED_IN = new Set(['/upload', '/profile']);
/** Pages for one person, which search engines must not list. */
const NOT_LISTED = new Set(['/upload', '/profile', '/login']);
const asked = process.argv.length > 2 ? process.argv.slice(2) : ['/leaderboard', '/how-it-works', '/login', '/verify', '/upload', '/profile'];

// It has some two hundred dependencies, which nobody needs who does not measure.
if (!existsSync(join(import.meta.dirname, 'node_modules'))) {
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: import.meta.dirname, stdio: 'inherit' });
}
const { default: lighthouse, desktopConfig } = await import('lighthouse');

let low = 0;
for (const signedIn of [true, false]) {
  const paths = asked.filter((path) => SIGNED_IN.has(path) === signedIn);
  if (paths.length > 0) await inBrowser(signedIn, async (port) => {
    for (const path of paths) {
      for (const [device, config] of [['phone', undefined], ['desktop', desktopConfig]]) await measure(path, device, config, port);
    }
  });
}
process.exit(low === 0 ? 0 : 1);

/** Runs with its own browser, for a signed-in user or a visitor. */
async function inBrowser(signedIn, run) {
  const folder = await mkdtemp(join(tmpdir(), 'proof-lighthouse-'));
  const options = browserOptions(['--remote-debugging-port=0']);
  const browser = await chromium.launchPersistentContext(folder, { ...options, baseURL: BASE_URL });
  try {
    const page = await browser.newPage();
    if (signedIn) await signIn(page);
    // What stays open is not measured.
    await page.close();
    const [port] = (await readFile(join(folder, 'DevToolsActivePort'), 'utf8')).split('\n');
    await run(Number(port));
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(path, device, config, port) {
  const categories = Object.keys(LEAST).filter((category) => category !== 'seo' || !NOT_LISTED.has(path));
  const speeds = [];
  const others = new Map();
  let figures = '';
  for (let run = 0; run < RUNS; run += 1) {
    const flags = {
      port,
      // One look is enough at what does not change from run to run.
      onlyCategories: run === 0 ? categories : ['performance'],
      disableStorageReset: true,
      // Production has no samples, which come late and above the form.
      blockedUrlPatterns: ['*/development-samples*'],
      logLevel: 'error',
    };
    const { lhr } = await lighthouse(`${BASE_URL}${path}`, flags, config);
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    if (!new URL(lhr.finalDisplayedUrl).pathname.startsWith(path)) throw new Error(`${path} has led to ${lhr.finalDisplayedUrl}`);
    for (const { id, score, auditRefs } of Object.values(lhr.categories)) {
      const points = Math.round(score * 100);
      if (id === 'performance') speeds.push(points);
      else others.set(id, points);
      if (id !== 'performance' && points < LEAST[id]) {
        const failed = auditRefs.map((ref) => lhr.audits[ref.id]).filter((audit) => audit.score !== null && audit.score < 1);
        for (const { id: name, title } of failed) process.stdout.write(`  ${name}: ${title}\n`);
      }
    }
    figures = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift', 'speed-index']
      .map((id) => `${id} ${lhr.audits[id].displayValue}`)
      .join(', ');
  }
  const median = speeds.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)];
  const rest = [...others].map(([id, points]) => `${id} ${points}`).join(', ');
  if (median < LEAST.performance || [...others].some(([id, points]) => points < LEAST[id])) low += 1;
  process.stdout.write(`${path} on a ${device}: ${median} (of ${speeds.join(', ')}), ${rest}; the last: ${figures}\n`);
}
