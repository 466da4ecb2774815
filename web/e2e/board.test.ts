import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { axeViolations } from './accessibility';
import { BASE_URL, launch, newVisitor, sendSample, sessionOf, signIn, threeHolders } from './browser';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
  await threeHolders(browser);
});
afterAll(() => browser?.close());

test('an open leaderboard shows a new proof by itself, and finds it by search and filter', { timeout: 60_000 }, async () => {
  const holder = await newVisitor(browser);
  await signIn(holder.page);
  const name = (await sessionOf(holder.page)).user.user_metadata.user_name;
  // The search keeps the row on show, however long the board is.
  const reader = await newVisitor(browser);
  await reader.page.goto(`/leaderboard?q=${name}`);
  const row = reader.page.getByRole('row').filter({ hasText: name });
  await row.filter({ hasText: 'Unverified' }).waitFor();
  await sendSample(holder.page, 'A signed self-transfer');
  await row.filter({ hasText: '2.25000000' }).waitFor();

  // Search and filter live in the address; an underscore stands for itself.
  const box = reader.page.getByPlaceholder('Search by username...');
  await box.fill(name.toUpperCase());
  await reader.page.waitForURL((url) => url.searchParams.get('q') === name.toUpperCase());
  await reader.page.getByText(/^Showing 1 of [\d,]+ users$/).waitFor();
  await reader.page.getByRole('button', { name: 'Filters' }).click();
  // Clicking the label works like clicking the box.
  await reader.page.getByText('Verified users only', { exact: true }).click();
  await reader.page.waitForURL((url) => url.searchParams.get('verified') === '1');
  await reader.page.reload();
  await row.waitFor();
  await expect.poll(() => box.inputValue()).toBe(name.toUpperCase());
  await box.fill(name.replace('_', 'x'));
  await reader.page.getByText('No users found matching your search criteria.').waitFor();
  // A press there shows all holders again.
  await reader.page.getByRole('button', { name: 'Show Everyone' }).click();
  await reader.page.waitForURL((url) => url.search === '');
  await reader.page.getByText(/^Showing [\d,]+ of [\d,]+ users$/).waitFor();
  expect(await box.inputValue()).toBe('');
  expect(await box.evaluate((found) => found === document.activeElement)).toBe(true);
  expect([...reader.complaints, ...holder.complaints]).toEqual([]);
  await reader.context.close();
  await holder.context.close();
});

test('a failing list says so, and Try Again fetches it', async () => {
  const { context, page } = await newVisitor(browser);
  // A change elsewhere would fetch the list before the button is pressed.
  await page.route('**/api/rest/v1/profiles/changes', (route) => route.abort());
  const onFire = { status: 500, json: { status: 500, code: 'internal', message: 'The list is on fire.' } };
  const button = new EventEmitter();
  const pressed = once(button, 'pressed');
  await page.route('**/api/rest/v1/profiles?*', async (route) => {
    await route.fulfill(onFire).catch(() => {}); // the page may have let go of it
  });
  // The list fails first; how many users there are in all fails only when the list is being fetched again.
  await page.route('**/board-summary', async (route) => {
    await pressed;
    await route.fulfill(onFire).catch(() => {});
  });
  await page.goto('/leaderboard?verified=1');
  await page.getByRole('heading', { name: 'Error' }).waitFor();
  await page.getByText('The list is on fire.').waitFor();
  await page.unroute('**/api/rest/v1/profiles?*');
  await page.unroute('**/board-summary');
  await page.getByRole('button', { name: 'Try Again' }).click();
  button.emit('pressed');
  await page.getByText(/^Showing \d/).waitFor();
  await context.close();
});

test('a name is found as it is shown, and by the size of its holdings; searches and filters are entries of the history', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  const asked: URLSearchParams[] = [];
  await page.route('**/api/rest/v1/profiles?*', (route) => {
    asked.push(new URL(route.request().url()).searchParams);
    return route.continue();
  });
  await page.goto('/leaderboard');
  await page.getByText(/^Showing \d/).waitFor();
  const box = page.getByPlaceholder('Search by username...');
  await box.fill('@whale');
  await page.waitForURL((url) => url.searchParams.get('q') === '@whale');
  await expect.poll(() => asked.at(-1)?.get('username')).toBe('ilike.*whale*');
  expect(asked.at(-1)?.get('provider')).toBe('eq.twitter');
  // Further letters continue the same search.
  await box.fill('github:octo');
  await expect.poll(() => asked.at(-1)?.get('provider')).toBe('eq.github');
  await page.goBack();
  await page.waitForURL((url) => url.search === '');
  expect(await box.inputValue()).toBe('');

  const fish = page.getByRole('button', { name: /Fish/ });
  await fish.click();
  await page.waitForURL((url) => url.searchParams.get('tier') === 'fish');
  await expect.poll(() => asked.at(-1)?.getAll('bitcoin_holdings')).toEqual(['gte.1', 'lt.10']);
  expect(await fish.getAttribute('aria-pressed')).toBe('true');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByText('Verified users only', { exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get('verified') === '1');
  await page.goBack();
  await page.waitForURL((url) => url.search === '?tier=fish');
  await page.goBack();
  await page.waitForURL((url) => url.search === '');
  expect(await fish.getAttribute('aria-pressed')).toBe('false');
  expect(complaints).toEqual([]);
  await context.close();
});

test('what is stale says so', async () => {
  const { context, page } = await newVisitor(browser);
  await page.route('**/api/rest/v1/profiles/changes*', (route) => route.abort());
  await page.goto('/leaderboard');
  await page.getByText(/^Live updates paused\. Last update/).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.route('**/api/rest/v1/profiles?*', (route) => route.abort());
  await page.route('**/board-summary', (route) => route.abort());
  // The stream is back and announces a change.
  await page.unroute('**/api/rest/v1/profiles/changes*');
  await page.getByText(/^Can’t reach the server\. Showing data from/).waitFor({ timeout: 90_000 });
  await page.locator('tr[data-index="0"]').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await context.close();
});

test('a row can be shared: its picture, its link, and a page of its own', async () => {
  const holder = await newVisitor(browser);
  await signIn(holder.page);
  await sendSample(holder.page, 'A signed self-transfer');
  const { user } = await sessionOf(holder.page);
  const link = `${BASE_URL}/leaderboard?u=${encodeURIComponent(`mock:user_${user.id.slice(0, 5)}`)}`;
  await holder.page.goto(link);
  await holder.page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = holder.page.getByRole('dialog');
  await dialog.getByText('For your own site').click();
  const frame = await dialog.getByText(/^<iframe /).innerText();
  await expect.poll(() => dialog.locator('img[src*="/card/"]').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200);
  await holder.page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);

  const { context, page, complaints } = await newVisitor(browser);
  const address = /src="([^"]+)"/.exec(frame)?.[1]?.replaceAll('&amp;', '&') ?? '';
  await page.goto(address);
  await page.getByText('2.25').waitFor();
  // In a page of another origin, which may show nothing else of ours.
  const host = createServer((_, answer) => {
    answer.setHeader('Content-Type', 'text/html');
    answer.end(`<iframe id="row" src="${address}"></iframe><iframe id="app" src="${link}"></iframe>`);
  });
  await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening));
  await page.goto(`http://localhost:${(host.address() as AddressInfo).port}/`);
  await page.frameLocator('#row').getByText('2.25').waitFor();
  expect(await page.frameLocator('#app').getByRole('heading').count()).toBe(0);
  expect(complaints.filter((it) => !it.includes('localhost') && !it.includes('frame'))).toEqual([]);
  host.close();
  await context.close();
  await holder.context.close();
});

test('addresses lead where they should', async () => {
  const { context, page } = await newVisitor(browser);
  const leads: [string, string][] = [
    ['/', '/leaderboard'],
    ['/privacy', '/privacy-policy'],
    ['/terms', '/terms-of-service'],
    ['/no/such/page', '/leaderboard'],
    ['/profile', '/login'],
    ['/profile/00000000-0000-4000-8000-000000000000', '/login'],
    ['/upload', '/login'],
    ['/choose-plan', '/login'],
  ];
  for (const [from, to] of leads) {
    const answer = await page.goto(from);
    // Programs get the status 404 (decisions, D18).
    expect(answer?.status(), from).toBe(from === '/no/such/page' ? 404 : 200);
    await page.waitForURL(`**${to}`);
    if (from === '/no/such/page') await page.getByRole('alert').filter({ hasText: 'There’s no page at /no/such/page.' }).waitFor();
  }
  await context.close();
});

test('the chosen theme stands before the first paint', async () => {
  const { context, page } = await newVisitor(browser, { theme: 'light' });
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.goto('/leaderboard');
  const light = await background();
  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  await page.waitForFunction(
    (before) => getComputedStyle(document.documentElement).backgroundColor !== before,
    light,
  );
  // The theme's color is there only after the transition ends.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
  const dark = await background();
  // Without the app's own script, only the one in the head can have set it.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/leaderboard', { waitUntil: 'load' });
  expect(await background()).toBe(dark);
  await context.close();
});
