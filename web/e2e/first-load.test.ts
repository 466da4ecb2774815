import { request as ask } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Route } from 'playwright-core';
import { BASE_URL, launch, newVisitor, signIn } from './browser';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

/** Script that /upload may send to a signed-in user, and the leaderboard to a visitor, in bytes as sent with Brotli. */
const SCRIPT_BYTES = 120_000;
const BOARD_SCRIPT_BYTES = 100_000;

/** What the upload page asks before it shows anything. */
const QUESTIONS = ['/rest/v1/profiles', '/rest/v1/profiles?', '/app-config', '/psbts', '/proof-challenge'];

/** The short name of a request; null for requests that do not count. */
function questionOf(url: URL, method: string): string | null {
  if (url.pathname.endsWith('/rest/v1/profiles')) return method === 'POST' ? '/rest/v1/profiles' : '/rest/v1/profiles?';
  return QUESTIONS.find((name) => url.pathname.endsWith(name)) ?? null;
}

test('the upload page of a signed-in user needs three round trips before its content: itself, its files, its answers', async () => {
  const { context, page } = await newVisitor(browser);
  await signIn(page);
  await page.goto('about:blank');
  const named = new Set<string>();
  const asked = new Map<string, Route>();
  // First the page, then the files it names, then its requests. No request gets a response before the last one is sent.
  await page.route('**/*', async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    if (request.isNavigationRequest()) {
      const response = await route.fetch();
      for (const [, path] of (await response.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)) named.add(path ?? '');
      return route.fulfill({ response });
    }
    if (named.has(url.pathname)) return route.continue();
    const question = questionOf(url, request.method());
    if (question !== null && !asked.has(question)) asked.set(question, route);
    return undefined;
  });
  await page.goto('/upload', { waitUntil: 'commit' });
  await expect.poll(() => [...asked.keys()].toSorted(), { timeout: 30_000 }).toEqual(QUESTIONS.toSorted());
  await page.getByText('Loading...').waitFor();
  for (const route of asked.values()) await route.continue();
  await page.getByLabel('My wallet is').waitFor();
  expect(await page.getByLabel('PSBT file').count()).toBe(1);
  await context.close();
});

test('the upload page of a signed-in user sends at most 120 kB of script', async () => {
  const { context, page } = await newVisitor(browser);
  await signIn(page);
  await page.goto('about:blank');
  const scripts = new Set<string>();
  page.on('request', (request) => request.resourceType() === 'script' && scripts.add(request.url()));
  // The response of production, which has no samples.
  await page.route('**/app-config', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...config, development: false } });
  });
  // Without the stream of changes, which stays open, the network comes to rest; the watch of the log comes later, by itself.
  await page.route('**/profiles/changes', (route) => route.abort());
  await page.goto('/upload');
  await page.getByLabel('My wallet is').waitFor();
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all([...scripts].map(bytesSent));
  const sum = sizes.reduce((total, size) => total + size, 0);
  process.stdout.write(`/upload: ${(sum / 1000).toFixed(1)} kB of script in ${sizes.length} files\n`);
  expect(sizes.length).toBeGreaterThan(3);
  expect(sum).toBeLessThanOrEqual(SCRIPT_BYTES);
  await context.close();
});

test('the leaderboard sends at most 100 kB of script, and needs nothing but its files to be at work', async () => {
  const { context, page } = await newVisitor(browser);
  const scripts = new Set<string>();
  const named = new Set<string>();
  // First the page, then the files that it names; no other request gets a response.
  await page.route('**/*', async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    if (request.resourceType() === 'script') scripts.add(request.url());
    if (request.isNavigationRequest()) {
      const response = await route.fetch();
      for (const [, path] of (await response.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)) named.add(path ?? '');
      return route.fulfill({ response });
    }
    return named.has(url.pathname) ? route.continue() : undefined;
  });
  await page.goto('/leaderboard', { waitUntil: 'commit' });
  await page.getByText(/^Showing \d/).waitFor();
  // The page reacts to keys: "/" moves the focus to the search box.
  await expect
    .poll(async () => {
      await page.keyboard.press('/');
      return page.evaluate(() => document.activeElement?.getAttribute('type'));
    })
    .toBe('search');
  // The watch of the log starts by itself, and counts too. What loads its module comes after the rows, and counts no more than the module.
  await expect.poll(() => [...scripts].some((script) => script.includes('/log-alarm-'))).toBe(true);
  const sizes = await Promise.all([...scripts].filter((script) => !script.includes('/bundler-log-')).map(bytesSent));
  const sum = sizes.reduce((total, size) => total + size, 0);
  process.stdout.write(`/leaderboard: ${(sum / 1000).toFixed(1)} kB of script in ${sizes.length} files\n`);
  expect(sum).toBeLessThanOrEqual(BOARD_SCRIPT_BYTES);
  await context.close();
});

/** The bytes of a file's body as the server sends it to those who take Brotli. */
async function bytesSent(url: string): Promise<number> {
  expect(url.startsWith(BASE_URL)).toBe(true);
  return new Promise((resolve, reject) => {
    ask(url, { headers: { 'Accept-Encoding': 'br' } }, (answer) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => (bytes += part.length));
      answer.on('end', () => resolve(bytes));
      answer.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}
