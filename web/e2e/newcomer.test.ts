import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Locator } from 'playwright-core';
import { launch, newVisitor } from './browser';
import { proveButton } from './upload';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

/** The most presses from the board to a rank, with a file that is not signed yet. */
const MOST_PRESSES = 7;

/** Needs a new board with its sample holders, as `./start` begins. */
test('a newcomer sees a full board, checks a proof until it is green, and gets a rank', { timeout: 120_000, retry: 0 }, async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await page.goto('/');
  await page.getByRole('button', { name: 'Sample data' }).waitFor();
  await page.getByText(/^Showing \d+ of \d+ users$/).waitFor();
  // All of them are there a few seconds after the start.
  await expect.poll(async () => Number((await page.getByText(/^\d+ holders proved/).innerText()).split(' ')[0]), { timeout: 60_000 }).toBeGreaterThanOrEqual(25);

  await page.getByRole('link', { name: 'See a proof' }).click();
  await page.getByRole('heading', { level: 1, name: /^@[\w.-]+ proved [\d.,]+ BTC$/ }).waitFor();
  // The explorer of the development chain is chosen already.
  await page.getByRole('button', { name: 'Check the coins' }).click();
  await page.getByRole('status').filter({ hasText: 'This proof is right' }).waitFor();
  await page.getByRole('link', { name: 'Proof of Reserves' }).click();

  let presses = 0;
  const press = async (control: Locator) => {
    presses += 1;
    await control.click();
  };
  await press(page.getByRole('link', { name: 'Verify your bitcoin' }));
  await press(page.getByRole('button', { name: 'Dev: Create Mock User & Login' }));
  await press(page.getByRole('button', { name: 'Continue with Basic' }));
  await press(page.getByText('Samples of the development chain'));
  await press(page.getByRole('button', { name: 'Use This Sample: The self-transfer, not signed' }));
  await press(page.getByRole('button', { name: 'Sign with the Development Wallet' }));
  await press(proveButton(page));
  await page.getByText('Verification Successful!').waitFor();
  expect(presses).toBeLessThanOrEqual(MOST_PRESSES);
  const rank = /#(\d+)/.exec(await page.getByText(/^You’re #\d+$/).innerText())?.[1];
  expect(Number(rank)).toBeGreaterThan(1);

  // The samples go, and the newcomer's own row stays: the only one.
  await page.getByRole('banner').getByRole('link', { name: 'Proof of Reserves' }).click();
  await page.getByRole('button', { name: 'Sample data' }).click();
  await page.getByRole('button', { name: 'Remove sample data' }).click();
  await page.getByText('1 holder proved').waitFor();
  const own = page.getByRole('row').filter({ hasText: '(you)' });
  expect((await own.getByRole('cell').first().innerText()).replace(/\D/g, '')).toBe('1');
  expect(complaints).toEqual([]);
  await context.close();
});
