import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { WIDTHS, launch, newVisitor, sendSample, signIn } from './browser';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
  // One holder with a proof and one without.
  for (const prove of [true, false]) {
    const { context, page } = await newVisitor(browser);
    await signIn(page);
    if (prove) await sendSample(page, 'A signed self-transfer');
    await context.close();
  }
});
afterAll(() => browser?.close());

test.each(WIDTHS)('the first rows are drawn from the page alone, and nothing moves, %i px wide', async (width) => {
  const { context, page, complaints } = await newVisitor(browser, { width });
  await page.addInitScript(() => {
    const shifts: unknown[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) => entry.toJSON() as unknown))).observe({
      type: 'layout-shift',
      buffered: true,
    });
  });
  // The API answers when the rows have been seen.
  let answer: (() => void) | undefined;
  const seen = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/**', async (route) => {
    await seen;
    await route.continue();
  });
  await page.goto('/leaderboard', { waitUntil: 'commit' });
  await page.getByText(/^Showing \d/).waitFor();
  const rows = page.locator('tbody tr[data-index]');
  expect(await rows.count()).toBeGreaterThan(1);
  const text = await page.locator('tbody').textContent();
  answer?.();
  await page.waitForLoadState('networkidle');
  expect(await page.locator('tbody').textContent()).toBe(text);
  expect(await page.evaluate(() => (window as unknown as { shifts: unknown[] }).shifts)).toEqual([]);
  await page.keyboard.press('j');
  await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset.index)).toBe('0');
  expect(complaints).toEqual([]);
  await context.close();
});

test('without scripts the first rows are a table', async () => {
  const { context, page } = await newVisitor(browser, { scripts: false });
  await page.goto('/leaderboard');
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(1);
  await page.getByRole('heading', { name: 'Bitcoin Leaderboard' }).waitFor();
  await context.close();
});

test('a search or a filter in the address gets no other rows than its own', async () => {
  const { context, page } = await newVisitor(browser);
  for (const path of ['/leaderboard?q=nobody-has-this-name', '/leaderboard?verified=1']) {
    const answer = await page.request.get(path);
    expect(await answer.text(), path).not.toContain('<table');
  }
  await context.close();
});

const PROSE: [string, string][] = [
  ['/how-it-works', 'Leaderboard ranking'],
  ['/privacy-policy', 'Contact'],
  ['/terms-of-service', 'Contact'],
];

test.each(PROSE)('%s is readable without scripts', async (path, last) => {
  const { context, page } = await newVisitor(browser, { scripts: false });
  await page.goto(path);
  await page.getByRole('heading', { name: last }).waitFor();
  expect(await page.locator('body').innerText()).not.toContain('{{');
  await context.close();
});
