import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch, newVisitor } from './browser';

/** A board of this many, answered in place of the server: the test is about the page. */
const USERS = 100_000;
const name = (index: number) => `holder_${index}`;
const id = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const row = (index: number) => ({
  id: id(index),
  username: name(index),
  avatar_url: null,
  verified: true,
  bitcoin_holdings: Number(((USERS - index) / 1000).toFixed(8)),
  rank: index + 1,
  provider: 'twitter',
});

async function serveBoard(page: Page): Promise<URLSearchParams[]> {
  const asked: URLSearchParams[] = [];
  // The first rows that the server's page brings along are of another board.
  await page.route(/\/leaderboard(\?|$)/, async (route) => {
    const answer = await route.fetch();
    const html = await answer.text();
    await route.fulfill({ response: answer, body: html.replace(/<script [^>]*id="first-page"[^>]*>.*?<\/script>/s, '') });
  });
  await page.route('**/api/rest/v1/profiles?*', (route) => {
    const { searchParams } = new URL(route.request().url());
    asked.push(searchParams);
    const wanted = searchParams.get('username');
    if (wanted?.startsWith('eq.')) {
      const index = Number(wanted.replace('eq.holder_', ''));
      return route.fulfill({ json: Number.isInteger(index) && index < USERS ? [row(index)] : [] });
    }
    const offset = Number(searchParams.get('offset'));
    const limit = Number(searchParams.get('limit'));
    const rows = Array.from({ length: Math.max(0, Math.min(limit, USERS - offset)) }, (_, at) => row(offset + at));
    const headers = { 'Content-Range': `${offset}-${offset + rows.length - 1}/${USERS}` };
    return route.fulfill({ status: 206, json: rows, headers });
  });
  return asked;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

const scroller = (page: Page) => page.getByRole('region', { name: 'Leaderboard rows' });
const rowOf = (page: Page, index: number) => page.getByRole('row').filter({ has: page.getByRole('link', { name: `@${name(index)}`, exact: true }) });

test.each([1440, 390])('a hundred thousand rows, %i px wide: few in the page, all within reach', async (width) => {
  const { context, page, complaints } = await newVisitor(browser, { width });
  const asked = await serveBoard(page);
  await page.goto('/leaderboard');
  await page.getByText('Showing 100,000 of 100,000 users').waitFor();
  await rowOf(page, 0).waitFor();
  const table = page.getByRole('table', { name: 'Bitcoin Leaderboard' });
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('100001');
  expect(await page.locator('tr[data-index]').count()).toBeLessThan(60);
  expect(asked.every((params) => Number(params.get('limit')) <= 100)).toBe(true);

  // To the end by the keyboard alone.
  await scroller(page).focus();
  await page.keyboard.press('End');
  await rowOf(page, USERS - 1).waitFor();
  expect(await rowOf(page, USERS - 1).getAttribute('aria-rowindex')).toBe('100001');
  expect(await page.locator('tr[data-index]').count()).toBeLessThan(60);
  // A jump fetches what is on show, not what lies between.
  expect(asked.length).toBeLessThan(20);
  await page.keyboard.press('Home');
  await rowOf(page, 0).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('a shared link leads to its row on page 500, and marks it', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await serveBoard(page);
  await page.goto(`/leaderboard?u=${name(49_950)}`);
  const target = page.locator('tr[data-target]');
  await target.waitFor();
  await page.getByText('@holder_49950 has rank #49,951.').waitFor();
  expect(await target.getAttribute('aria-rowindex')).toBe('49952');
  const [outer, inner] = [await scroller(page).boundingBox(), await target.boundingBox()];
  expect(inner!.y).toBeGreaterThanOrEqual(outer!.y);
  expect(inner!.y + inner!.height).toBeLessThanOrEqual(outer!.y + outer!.height);

  await page.goto('/leaderboard?u=nobody-has-this');
  await page.getByText('Nobody on the leaderboard is called nobody-has-this.').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('rows by the keyboard: / j k, arrows, Enter; the letters can be turned off', async () => {
  const { context, page } = await newVisitor(browser);
  await serveBoard(page);
  await page.goto('/leaderboard');
  await rowOf(page, 0).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.closest('tr')?.dataset.index ?? document.activeElement?.getAttribute('type'));

  await page.keyboard.press('/');
  await expect.poll(focused).toBe('search');
  // In the search box letters are text.
  await page.keyboard.type('j/k');
  expect(await page.getByPlaceholder('Search by username...').inputValue()).toBe('j/k');
  await page.waitForURL((url) => url.searchParams.get('q') === 'j/k');
  await page.goto('/leaderboard');
  await rowOf(page, 0).waitFor();

  await page.keyboard.press('j');
  await expect.poll(focused).toBe('0');
  for (let step = 0; step < 30; step++) await page.keyboard.press('j');
  await expect.poll(focused).toBe('30');
  await page.keyboard.press('k');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toBe('31');
  const [outer, inner] = [await scroller(page).boundingBox(), await page.locator('tr[data-index="31"]').boundingBox()];
  expect(inner!.y).toBeGreaterThanOrEqual(outer!.y);
  expect(inner!.y + inner!.height).toBeLessThanOrEqual(outer!.y + outer!.height + 1);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login'); // the profile is for signed-in people

  await page.goto('/leaderboard');
  await rowOf(page, 0).waitFor();
  await page.getByRole('checkbox', { name: 'Shortcuts' }).uncheck();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('j');
  await page.keyboard.press('/');
  await expect.poll(focused).toBe(null);
  await page.reload();
  await expect.poll(() => page.getByRole('checkbox', { name: 'Shortcuts' }).isChecked()).toBe(false);
  await context.close();
});
