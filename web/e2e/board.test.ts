import { EventEmitter, once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, newVisitor, signIn } from './browser';
import { proveSample } from './upload';

const SCRIPT_BUDGET = 135_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

test('the first load of the leaderboard stays within its script budget', async () => {
  const { context, page } = await newVisitor(browser);
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body());
  });
  await page.goto('/leaderboard');
  await page.getByText(/^Showing \d/).waitFor();
  const sizes = (await Promise.all(scripts)).map((body) => gzipSync(body, { level: 9 }).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(SCRIPT_BUDGET);
  await context.close();
});

test('an open leaderboard shows a new proof by itself, and finds it by search and filter', { timeout: 60_000 }, async () => {
  const holder = await newVisitor(browser);
  await signIn(holder.page);
  const name = await holder.page.evaluate(
    () => (JSON.parse(localStorage.getItem('proof-session') ?? '{}') as { user: { user_metadata: { user_name: string } } }).user.user_metadata.user_name,
  );
  // The search keeps the row on show, however long the board is.
  const reader = await newVisitor(browser);
  await reader.page.goto(`/leaderboard?q=${name}`);
  const row = reader.page.getByRole('row').filter({ hasText: name });
  await row.filter({ hasText: 'Unverified' }).waitFor();
  await proveSample(holder.page, 'A signed self-transfer');
  await row.filter({ hasText: '2.25000000' }).waitFor();

  // Search and filter live in the address; an underscore stands for itself.
  const box = reader.page.getByPlaceholder('Search by username...');
  await box.fill(name.toUpperCase());
  await reader.page.waitForURL((url) => url.searchParams.get('q') === name.toUpperCase());
  await reader.page.getByText(/^Showing 1 of [\d,]+ users$/).waitFor();
  await reader.page.getByRole('button', { name: 'Filters' }).click();
  // Its words are as good as its box.
  await reader.page.getByText('Verified users only', { exact: true }).click();
  await reader.page.waitForURL((url) => url.searchParams.get('verified') === '1');
  await reader.page.reload();
  await row.waitFor();
  await expect.poll(() => box.inputValue()).toBe(name.toUpperCase());
  await box.fill(name.replace('_', 'x'));
  await reader.page.getByText('No users found matching your search criteria.').waitFor();
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
    // The list fails first; how many users there are in all fails only when the list is being fetched again.
    if (new URL(route.request().url()).searchParams.get('limit') === '1') await pressed;
    await route.fulfill(onFire).catch(() => {}); // the page may have let go of it
  });
  await page.goto('/leaderboard?verified=1');
  await page.getByRole('heading', { name: 'Error' }).waitFor();
  await page.getByText('The list is on fire.').waitFor();
  await page.unroute('**/api/rest/v1/profiles?*');
  await page.getByRole('button', { name: 'Try Again' }).click();
  button.emit('pressed');
  await page.getByText(/^Showing \d/).waitFor();
  await context.close();
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
    await page.goto(from);
    await page.waitForURL(`**${to}`);
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
  // A transition has to come to its end before the colour is the theme's own.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
  const dark = await background();
  // Without the app's own script, only the one in the head can have set it.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/leaderboard', { waitUntil: 'load' });
  expect(await background()).toBe(dark);
  await context.close();
});
