import { afterAll, beforeAll, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { askApi, launch, newVisitor, sendSample, sessionOf, signIn, WIDTHS } from './browser';
import { check, look } from './look';
import { publicScreens } from './screens';

let browser: Browser;
let published = { id: '', profile_id: '' };
beforeAll(async () => {
  browser = await launch();
  // A board with more than one row on it.
  for (const publish of [false, true]) {
    const { context, page } = await newVisitor(browser);
    await signIn(page);
    await sendSample(page, 'A signed self-transfer', publish);
    const { user } = await sessionOf(page);
    const { proofs } = await askApi<{ proofs: (typeof published)[] }>(page, `/api/functions/v1/proofs?profile_id=${user.id}`);
    published = proofs[0] ?? published;
    await context.close();
  }
});
afterAll(() => browser?.close());

test('public screens', { timeout: 300_000 }, async () => {
  const visitor = await newVisitor(browser);
  for (const screen of publicScreens(published)) await check(visitor, screen);
  await visitor.context.close();
});

/** In wider windows these links are in the bar. */
const WITH_MENU = WIDTHS.filter((width) => width < 1024);

test.each(['/leaderboard', '/verify', '/prove'])('the menu of a narrow window, on %s', async (path) => {
  const visitor = await newVisitor(browser, { width: 390 });
  await visitor.page.goto(path);
  await visitor.page.getByRole('button', { name: 'Open menu' }).click();
  const menu = visitor.page.getByRole('navigation', { name: 'Mobile' });
  await look(visitor, { name: `menu${path.replace('/', '-')}`, ready: () => menu.waitFor() }, WITH_MENU);
  await visitor.context.close();
});
