import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, newVisitor, signInByHand } from './browser';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

test('a visitor pays for neither sign-in nor the file reader; both come when they are needed', async () => {
  const { context, page } = await newVisitor(browser);
  const loaded: string[] = [];
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url());
    // The module that checks the log is for everybody, after the rows.
    if (pathname.endsWith('.wasm') && !pathname.includes('psbt_wasm_log')) loaded.push('wasm');
    else if (pathname.endsWith('.js') && (await response.text().catch(() => '')).includes('PKCE')) loaded.push('sign-in');
  });
  for (const path of ['/leaderboard', '/how-it-works', '/login', '/terms-of-service']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('load');
  }
  expect(loaded).toEqual([]);
  await signInByHand(page);
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

  // A page that fails constantly may report ten times a minute.
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
