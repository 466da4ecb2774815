import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { WIDTHS, launchWithFonts, newVisitor, sendSample, signIn, type Visitor } from './browser';

/** What Debian installs with Chromium. Other readers have other fonts; those of styles.css have Inter's widths. */
const FONTS = ['DejaVu Sans', 'DejaVu Sans Mono'];

let browser: Browser;
beforeAll(async () => {
  browser = await launchWithFonts(FONTS);
});
afterAll(() => browser?.close());

/**
 * Adds up layout shifts as Cumulative Layout Shift does, without its windows: the sum is never less. The stream of changes is cut off: the board stays as
 * it was sent, and the network comes to rest.
 */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.route('**/profiles/changes*', (route) => route.abort());
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
  ['/how-it-works/auditors', (page) => page.getByRole('heading', { name: 'What do I file?' }).waitFor()],
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
  ['/upload', (page) => page.getByLabel('My wallet is').waitFor()],
];

describe('nothing jumps while a page loads', () => {
  /** Those who have a proof, by the width of their windows. */
  const holders = new Map<number, Visitor>();
  beforeAll(async () => {
    for (const width of WIDTHS) {
      const holder = await newVisitor(browser, { width });
      await signIn(holder.page);
      await sendSample(holder.page, 'A signed self-transfer');
      holders.set(width, holder);
    }
  });

  // They mostly wait for the network to be idle.
  test.concurrent.each(WIDTHS)('%i px wide', { timeout: 300_000 }, async (width) => {
    for (const [path, ready] of READY) {
      const { context, page } = await newVisitor(browser, { width });
      const shifted = await watchShifts(page);
      await page.goto(path);
      await ready(page);
      await page.waitForLoadState('networkidle');
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
      await page.waitForLoadState('networkidle');
      expect(await shifted(), path).toBeLessThan(0.02);
    }
  });
});
