import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { axeViolations } from './accessibility';
import { launch, newVisitor, resize, signIn } from './browser';
import { withoutFirstRows, type Row } from './rows';

/** A board of this many rows, served by the test in place of the server; the page lists the first ones. */
const USERS = 1_000_000;
const LISTED = 300_000;
const LAST = LISTED - 1;
const name = (index: number) => `holder_${index}`;
const id = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const row = (index: number): Row => ({
  id: id(index),
  username: name(index),
  avatar_url: null,
  verified: true,
  bitcoin_holdings: Number(((USERS - index) / 1000).toFixed(8)),
  shown_as: 'exact',
  rank: index + 1,
  last_verified: '2026-11-20T00:00:00Z',
  provider: 'twitter',
  named: true,
  published_sats: null,
});

/** Answers with that board; the user who is signed in has this rank. */
async function serveBoard(page: Page, own: number | null = null): Promise<URLSearchParams[]> {
  const asked: URLSearchParams[] = [];
  let ownId = '';
  await withoutFirstRows(page, USERS);
  await page.route('**/api/rest/v1/profiles?*', (route) => {
    const { searchParams } = new URL(route.request().url());
    asked.push(searchParams);
    const wanted = searchParams.get('username');
    if (wanted?.startsWith('eq.')) {
      const index = Number(wanted.replace('eq.holder_', ''));
      return route.fulfill({ json: Number.isInteger(index) && index < USERS ? [row(index)] : [] });
    }
    if (searchParams.has('id')) {
      if (own === null || !searchParams.get('select')?.startsWith('id,username')) return route.continue();
      ownId = searchParams.get('id')?.replace('eq.', '') ?? '';
      return route.fulfill({ json: [{ ...row(own), id: ownId }] });
    }
    const offset = Number(searchParams.get('offset'));
    const limit = Number(searchParams.get('limit'));
    const rows = Array.from({ length: Math.max(0, Math.min(limit, USERS - offset)) }, (_, at) => ({ ...row(offset + at), ...(offset + at === own ? { id: ownId } : {}) }));
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

const rows = (page: Page) => page.getByRole('region', { name: 'Leaderboard rows' });
const rowOf = (page: Page, index: number) => page.getByRole('row').filter({ has: page.getByRole('link', { name: `@${name(index)}`, exact: true }) });

/** The visible share of a row, from 0 to 1. */
async function shown(page: Page, index: number): Promise<number> {
  return page.evaluate((at) => {
    const box = document.querySelector(`tr[data-index="${at}"]`)?.getBoundingClientRect();
    if (!box) return 0;
    const head = document.querySelector('thead')!.getBoundingClientRect();
    const top = head.height > 2 ? head.bottom : document.querySelector('header')!.getBoundingClientRect().bottom - 1;
    return Math.max(0, Math.min(box.bottom, innerHeight) - Math.max(box.top, top)) / box.height;
  }, index);
}

const whole = (page: Page, index: number) => expect.poll(() => shown(page, index)).toBeGreaterThan(0.97);

test.each([1440, 390])('a million rows, %i px wide: few in the document, the first 300,000 within reach', async (width) => {
  const { context, page, complaints } = await newVisitor(browser, { width });
  const asked = await serveBoard(page);
  await page.goto('/leaderboard');
  await page.getByText('Showing 1,000,000 of').waitFor();
  await page.getByText('Only the first 300,000 are listed. Search to find the others.').waitFor();
  await rowOf(page, 0).waitFor();
  const table = page.getByRole('table', { name: 'Bitcoin Leaderboard' });
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('300001');
  expect(await page.locator('tr[data-index]').count()).toBeLessThan(60);
  expect(asked.every((params) => Number(params.get('limit')) <= 100)).toBe(true);
  // Fourteen on a desktop, eight on a phone, and the page is what scrolls.
  await whole(page, width > 500 ? 13 : 7);
  expect(await page.evaluate(() => [...document.querySelectorAll('main *')].filter((it) => it.scrollHeight > it.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(it).overflowY)).length)).toBe(0);

  // To the end by the keyboard alone.
  await rows(page).focus();
  await page.keyboard.press('End');
  await rowOf(page, LAST).waitFor();
  await whole(page, LAST);
  expect(await rowOf(page, LAST).getAttribute('aria-rowindex')).toBe('300001');
  expect(await page.locator('tr[data-index]').count()).toBeLessThan(110);
  // A jump fetches the rows in sight, not those between.
  expect(asked.length).toBeLessThan(20);
  await page.keyboard.press('Home');
  await whole(page, 0);

  // As the browser scrolls by itself: to both ends, to the middle, and by the wheel, also while the page is slow.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await whole(page, LAST);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
  const first = () => page.evaluate(() => Math.min(...[...document.querySelectorAll<HTMLElement>('tr[data-index]')].filter((it) => it.getBoundingClientRect().top > 150).map((it) => Number(it.dataset.index))));
  await expect.poll(async () => Math.abs((await first()) - LISTED / 2)).toBeLessThan(LISTED * 0.01);
  await page.mouse.move(200, 500);
  const height = width > 500 ? 40 : 56;
  const throttle = await context.newCDPSession(page);
  for (const rate of [1, 15, 15]) {
    await throttle.send('Emulation.setCPUThrottlingRate', { rate });
    const before = await first();
    for (let turn = 0; turn < 5; turn++) await page.mouse.wheel(0, 400);
    await expect.poll(async () => Math.abs((await first()) - before - 2000 / height)).toBeLessThan(3);
  }
  await throttle.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await page.evaluate(() => window.scrollTo(0, 0));
  await whole(page, 0);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a shared link leads to its row on page 500, and marks it; back finds the place where the reader was', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await serveBoard(page);
  await page.goto(`/leaderboard?u=${name(49_950)}`);
  const target = page.locator('tr[data-target]');
  await target.waitFor();
  await page.getByText('@holder_49950 has rank #49,951.').waitFor();
  expect(await target.getAttribute('aria-rowindex')).toBe('49952');
  await whole(page, 49_950);

  await page.evaluate(() => window.scrollBy(0, 800));
  await whole(page, 49_970);
  expect(await shown(page, 49_950)).toBeLessThan(1);
  await page.evaluate(() => document.querySelector<HTMLElement>('footer a[href="/how-it-works"]')?.click());
  await page.waitForURL('**/how-it-works');
  await page.goBack();
  await whole(page, 49_970);

  await page.goto('/leaderboard?u=nobody-has-this');
  await page.getByText('There’s no "nobody-has-this" on the leaderboard.').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

const focused = (page: Page) => page.evaluate(() => document.activeElement?.closest('tr')?.dataset.index ?? document.activeElement?.getAttribute('type'));

test('rows by the keyboard: / j k, arrows, Enter; the letters can be turned off', async () => {
  const { context, page } = await newVisitor(browser);
  await serveBoard(page);
  await page.goto('/leaderboard');
  await rowOf(page, 0).waitFor();

  await page.keyboard.press('/');
  await expect.poll(() => focused(page)).toBe('search');
  // In the search box letters are text.
  await page.keyboard.type('j/k');
  expect(await page.getByPlaceholder('Search by username...').inputValue()).toBe('j/k');
  await page.waitForURL((url) => url.searchParams.get('q') === 'j/k');
  await page.goto('/leaderboard');
  await rowOf(page, 0).waitFor();

  await page.keyboard.press('j');
  await expect.poll(() => focused(page)).toBe('0');
  for (let step = 0; step < 30; step++) await page.keyboard.press('j');
  await expect.poll(() => focused(page)).toBe('30');
  await page.keyboard.press('k');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('31');
  await whole(page, 31);
  // Left and right arrows move among the links of a row.
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('@holder_31');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TR');
  await page.keyboard.press('Enter');
  // Profiles are for signed-in users; visitors get the public details here.
  await page.getByRole('dialog').getByRole('img', { name: /^@holder_31: rank #32/ }).waitFor();

  await page.goto('/leaderboard');
  await rowOf(page, 0).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('checkbox', { name: 'Single letters are shortcuts' }).uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('j');
  await page.keyboard.press('/');
  await expect.poll(() => focused(page)).toBe(null);
  await page.reload();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect.poll(() => page.getByRole('checkbox', { name: 'Single letters are shortcuts' }).isChecked()).toBe(false);

  // A phone has no keys to press.
  const help = page.locator('button[aria-label="Keyboard shortcuts"]');
  expect(await help.isVisible()).toBe(true);
  await resize(page, 390);
  await expect.poll(() => help.isVisible()).toBe(false);
  await context.close();
});

test('for the Tab key the list is one stop, and nothing loses the focus', async () => {
  const { context, page } = await newVisitor(browser);
  await serveBoard(page);
  await page.goto('/leaderboard');
  await rowOf(page, 0).waitFor();
  const stops: string[] = [];
  for (let step = 0; step < 51; step++) {
    await page.keyboard.press('Tab');
    stops.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''));
  }
  expect(stops.filter((stop) => stop === 'Leaderboard rows').length).toBeLessThan(3);
  expect(stops.slice(0, 30).filter((stop) => stop.startsWith('View Profile'))).toEqual([]);
  expect(stops.slice(0, 40)).toContain('Terms of Service');

  // When the focused row is unloaded, the list has the focus; the row gets it back when it returns.
  await page.goto('about:blank');
  await page.goto('/leaderboard');
  await rowOf(page, 0).waitFor();
  await page.keyboard.press('j');
  await expect.poll(() => focused(page)).toBe('0');
  await page.evaluate(() => window.scrollTo(0, 4_000_000));
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Leaderboard rows');
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect.poll(() => focused(page)).toBe('0');

  await page.getByRole('link', { name: 'Skip past the rows' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)).toMatch(/not verified$|^Keyboard shortcuts$/);
  await context.close();
});

test('the own row stands at the foot of the window while it is out of sight', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await signIn(page);
  await serveBoard(page, 200_000);
  await page.goto('/leaderboard');
  const own = page.getByRole('region', { name: 'Your place' });
  await own.getByText('200,001').waitFor();
  await own.getByText('(you)').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await own.getByRole('button', { name: 'Show' }).click();
  await whole(page, 200_000);
  await expect.poll(() => own.count()).toBe(0);
  await page.evaluate(() => window.scrollTo(0, 0));
  await own.waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('the rows that were fetched are printed, and no others', async () => {
  const { context, page } = await newVisitor(browser);
  await serveBoard(page);
  await page.goto('/leaderboard');
  await rowOf(page, 0).waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  const printed = await page.evaluate(() => ({ rows: document.querySelectorAll('tr[data-index]').length, height: document.documentElement.scrollHeight }));
  expect(printed.rows).toBe(100);
  expect(printed.height).toBeLessThan(100 * 60 + 1000);
  await page.emulateMedia({ media: null });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect.poll(() => page.locator('tr[data-index]').count()).toBeLessThan(60);
  await context.close();
});
