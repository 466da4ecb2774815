import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { WIDTHS, launch, newVisitor, signIn } from './browser';
import { proveSample } from './upload';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
  // Somebody with a proof and somebody without.
  for (const prove of [true, false]) {
    const { context, page } = await newVisitor(browser);
    await signIn(page);
    if (prove) await proveSample(page, 'A signed self-transfer');
    await context.close();
  }
});
afterAll(() => browser?.close());

/** Opens the page as the server has written it; the app's scripts come when the result is called. */
async function openWithoutApp(page: Page, path: string): Promise<() => Promise<void>> {
  const scripts = new EventEmitter();
  const released = once(scripts, 'released');
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  await page.getByRole('contentinfo').waitFor();
  return async () => {
    scripts.emit('released');
    // The rows were fetched once more, as the app does when it has taken the page over.
    await page.locator('[aria-busy="false"]').waitFor();
  };
}

test.each(WIDTHS)('the app takes the page over as it stands, %i px wide', async (width) => {
  const { context, page, complaints } = await newVisitor(browser, { width });
  await page.addInitScript(() => {
    const seen: unknown[] = [];
    Object.assign(window, { seen });
    new PerformanceObserver((list) => seen.push(...list.getEntries().map((entry) => JSON.stringify(entry)))).observe({
      type: 'layout-shift',
      buffered: true,
    });
  });
  const start = await openWithoutApp(page, '/leaderboard');
  await page.getByText(/^Showing \d/).waitFor();
  const written = await page.evaluate(() => {
    const elements = [...document.querySelectorAll('#root *')];
    Object.assign(window, { elements });
    return {
      // What moves while the HTML is still coming in is the browser's own drawing of a table.
      at: performance.now(),
      rows: document.querySelectorAll('tbody tr[data-index]').length,
      text: document.querySelector('tbody')?.textContent,
    };
  });
  expect(written.rows).toBeGreaterThan(1);
  await start();
  const found = await page.evaluate((at) => {
    const { elements, seen } = window as unknown as { elements: Element[]; seen: string[] };
    const rows = [...document.querySelectorAll('tbody tr[data-index]')];
    return {
      replaced: elements.filter((element) => !element.isConnected).map((element) => element.outerHTML.slice(0, 200)),
      newRows: rows.filter((row) => !elements.includes(row)).length,
      text: document.querySelector('tbody')?.textContent,
      shifts: seen.filter((shift) => (JSON.parse(shift) as PerformanceEntry).startTime > at),
    };
  }, written.at);
  expect(found).toEqual({ replaced: [], newRows: 0, text: written.text, shifts: [] });
  // And it is at work.
  await page.keyboard.press('j');
  await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset.index)).toBe('0');
  expect(complaints).toEqual([]);
  await context.close();
});

test('what is pressed and typed before the app is there is not lost', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  let start = await openWithoutApp(page, '/leaderboard');
  await page.getByRole('button', { name: 'Filters' }).click();
  expect(await page.getByRole('checkbox', { name: 'Verified users only' }).isVisible()).toBe(false);
  await start();
  await page.getByRole('checkbox', { name: 'Verified users only' }).waitFor();

  await page.unrouteAll({ behavior: 'ignoreErrors' });
  start = await openWithoutApp(page, '/leaderboard');
  await page.getByPlaceholder('Search by username...').fill('nobody-has-this-name');
  await start();
  await page.waitForURL((url) => url.searchParams.get('q') === 'nobody-has-this-name');
  await page.getByText('No users found matching your search criteria.').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('who has a session is not offered to log in, in whichever theme', async () => {
  const { context, page, complaints } = await newVisitor(browser, { theme: 'dark' });
  const login = page.getByRole('banner').getByRole('link', { name: 'Login' });
  const icons = () => page.getByRole('button', { name: /^Switch to/ }).locator('svg:visible').getAttribute('class');
  let start = await openWithoutApp(page, '/leaderboard');
  expect(await login.isVisible()).toBe(true);
  expect(await icons()).toContain('sun');
  await start();
  expect(await login.isVisible()).toBe(true);
  expect(await icons()).toContain('sun');
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  await signIn(page);
  start = await openWithoutApp(page, '/leaderboard');
  expect(await login.isVisible()).toBe(false);
  await start();
  await page.getByRole('banner').getByRole('button', { name: 'Profile' }).waitFor();
  expect(await login.count()).toBe(0);
  await page.getByRole('button', { name: 'Profile' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await login.waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('a shared link keeps the rows of the page and leads to one of them', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  const start = await openWithoutApp(page, '/leaderboard');
  const name = await page.locator('tbody tr[data-index="0"] a[aria-label^="View Profile of "]').getAttribute('aria-label');
  await start();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const again = await openWithoutApp(page, `/leaderboard?u=${encodeURIComponent(name?.replace('View Profile of ', '') ?? '')}`);
  await page.evaluate(() => Object.assign(window, { first: document.querySelector('tr[data-index="0"]') }));
  await again();
  await page.locator('tr[data-target]').waitFor();
  expect(await page.evaluate(() => (window as unknown as { first: Element }).first.hasAttribute('data-target'))).toBe(true);
  expect(complaints).toEqual([]);
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

test.each(PROSE)('%s is readable without scripts, and taken over as it stands', async (path, last) => {
  const [written, run] = await Promise.all([newVisitor(browser, { scripts: false }), newVisitor(browser)]);
  await written.page.goto(path);
  await written.page.getByRole('heading', { name: last }).waitFor();
  const text = await written.page.locator('#root').innerText();
  expect(text).not.toContain('{{');

  await run.page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => Object.assign(window, { elements: [...document.querySelectorAll('#root *')] }));
  });
  await run.page.goto(path);
  await run.page.waitForLoadState('networkidle');
  expect(await run.page.locator('#root').innerText()).toBe(text);
  const replaced = await run.page.evaluate(() => {
    const { elements } = window as unknown as { elements: Element[] };
    return elements.filter((element) => !element.isConnected).map(({ outerHTML }) => outerHTML.slice(0, 200));
  });
  expect(replaced).toEqual([]);
  expect(run.complaints).toEqual([]);
  await written.context.close();
  await run.context.close();
});
