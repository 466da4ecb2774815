import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, newVisitor, signInByHand } from './browser';
import { openUpload, useSample } from './upload';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

/** Also run against the pages of `./start --watch`, which come from Vite: the least that must work there. */
test('a user signs in, has a file read, and is still signed in after a reload', { timeout: 60_000 }, async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await signInByHand(page);
  await openUpload(page);
  await useSample(page, 'A signed self-transfer');
  // The share dialog offers the server's address, even when another program serves the pages.
  expect(await page.evaluate(async () => (await fetch('/embed?u=nobody')).text())).toContain('There’s no "nobody" on the leaderboard.');
  await page.getByText('Signatures valid, made for you').waitFor();
  await page.goto('/');
  await page.waitForURL('**/leaderboard');
  await page.getByRole('banner').getByRole('button', { name: 'Profile' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
