import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { WIDTHS, launch, newVisitor, signIn, type Visitor } from './browser';
import { proveSample } from './upload';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

/** Adds up layout shifts as Cumulative Layout Shift does, without its windows: the sum is never less. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) shifts.sum += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum);
}

const READY: [string, (page: Page) => Promise<unknown>][] = [
  ['/leaderboard', (page) => page.getByText(/^Showing \d/).waitFor()],
  ['/leaderboard?q=nobody-has-this-name', (page) => page.getByText('No users found').waitFor()],
  ['/how-it-works', (page) => page.getByRole('heading', { name: 'Leaderboard ranking' }).waitFor()],
  ['/login', (page) => page.getByText('(Only available in development mode)').waitFor()],
  ['/privacy-policy', (page) => page.getByRole('heading', { name: 'Contact' }).waitFor()],
  ['/terms-of-service', (page) => page.getByRole('heading', { name: 'Contact' }).waitFor()],
  ['/inspect', (page) => page.getByLabel('PSBT file').waitFor({ state: 'attached' })],
  ['/verify', (page) => page.getByRole('heading', { name: 'What no proof shows' }).waitFor()],
  ['/prove', (page) => page.getByText('Works offline.').waitFor()],
  ['/prove/ask', (page) => page.getByRole('heading', { name: 'Ask for a proof' }).waitFor()],
  ['/verify/00000000-0000-4000-8000-000000000000', (page) => page.getByText('No such proof', { exact: true }).waitFor()],
  ['/auth/callback?error=access_denied', (page) => page.getByRole('heading', { name: 'Authentication Error' }).waitFor()],
];

/** Those of a signed-in user. */
const OWN: typeof READY = [
  ['/choose-plan', (page) => page.getByRole('heading', { name: 'Premium' }).waitFor()],
  ['/leaderboard', (page) => page.getByText(/^Showing \d/).waitFor()],
  ['/profile', (page) => page.getByRole('heading', { name: 'Proof #1' }).waitFor()],
  ['/upload', (page) => page.getByRole('radio', { name: 'Sparrow' }).waitFor()],
];

describe('nothing jumps while a page loads', () => {
  /** Those who have a proof, by the width of their windows. Once all have theirs, the board stays as it is. */
  const holders = new Map<number, Visitor>();
  beforeAll(async () => {
    for (const width of WIDTHS) {
      const holder = await newVisitor(browser, { width });
      await signIn(holder.page);
      await proveSample(holder.page, 'A signed self-transfer');
      holders.set(width, holder);
    }
  });

  // They mostly wait for the network to be idle.
  test.concurrent.each(WIDTHS)('%i px wide', async (width) => {
    for (const [path, ready] of READY) {
      const { context, page } = await newVisitor(browser, { width });
      const shifted = await watchShifts(page);
      await page.goto(path);
      await ready(page);
      await page.waitForLoadState('networkidle').catch(() => {});
      expect(await shifted(), path).toBeLessThan(0.02);
      await context.close();
    }
    const { page } = holders.get(width)!;
    // As production answers, which has no samples: they come late.
    await page.route('**/app-config', async (route) => {
      const config = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...config, development: false } });
    });
    const shifted = await watchShifts(page);
    for (const [path, ready] of OWN) {
      await page.goto(path);
      await ready(page);
      await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => {}); // the stream of changes stays open
      expect(await shifted(), path).toBeLessThan(0.02);
    }
  });
});

test('a visitor pays for neither sign-in nor the file reader; both come when they are needed', async () => {
  const { context, page } = await newVisitor(browser);
  const loaded: string[] = [];
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith('.wasm')) loaded.push('wasm');
    else if (pathname.endsWith('.js') && (await response.text().catch(() => '')).includes('PKCE')) loaded.push('sign-in');
  });
  for (const path of ['/leaderboard', '/how-it-works', '/login', '/terms-of-service']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('load');
  }
  expect(loaded).toEqual([]);
  await signIn(page);
  await expect.poll(() => loaded).toContain('sign-in');
  expect(loaded).not.toContain('wasm');
  await context.close();
});

test('errors and warnings go to the log sink, without what is private, and not those of screen-shader', async () => {
  const { context, page } = await newVisitor(browser);
  const sent: { level: string; message: string; context: string }[] = [];
  await page.route('**/api/functions/v1/client-log', (route) => {
    sent.push(route.request().postDataJSON() as (typeof sent)[number]);
    return route.fulfill({ status: 204 });
  });
  await page.goto('/leaderboard?u=satoshi');
  await page.getByText(/^Showing \d/).waitFor();
  await page.evaluate(() => {
    console.warn('cannot read "my savings.psbt" at https://x.example/a?token=secret');
    console.error('screen-shader: boom');
    setTimeout(() => {
      throw new Error(`key ${'ab'.repeat(32)} is odd`);
    });
    void Promise.reject(new Error('nobody caught this'));
  });
  await expect.poll(() => sent.length).toBe(3);
  expect(sent.map(({ level }) => level).toSorted()).toEqual(['error', 'error', 'warn']);
  const said = sent.map(({ message }) => message).join('\n');
  expect(said).toContain('cannot read [file] at https://x.example/a');
  expect(said).toContain('key [redacted] is odd');
  expect(said).toContain('nobody caught this');
  for (const hidden of ['savings', 'secret', 'abab', 'screen-shader', 'satoshi']) expect(JSON.stringify(sent)).not.toContain(hidden);
  expect(new Set(sent.map((entry) => entry.context))).toEqual(new Set(['/leaderboard']));

  // A page that fails all the time is heard ten times a minute.
  await page.evaluate(() => {
    for (let n = 0; n < 40; n++) console.warn(`failure number ${n}`);
  });
  await expect.poll(() => sent.length).toBe(10);
  await context.close();
});

test('less motion is respected', async () => {
  const { context, page } = await newVisitor(browser);
  await page.route('**/api/rest/v1/profiles?*', () => {}); // never answered: the page waits
  await page.goto('/leaderboard?verified=1');
  await page.getByText('Loading leaderboard...').waitFor();
  const durations = await page.evaluate(() => document.getAnimations().map(({ effect }) => effect?.getComputedTiming().endTime));
  expect(durations.every((end) => typeof end === 'number' && end <= 10)).toBe(true);
  await context.close();
});
