import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Locator } from 'playwright-core';
import { launch, newVisitor, samplesOf } from './browser';
import { chooseFile, proveButton } from './upload';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

/** A way to press controls, and how many presses it were. */
function presses() {
  let count = 0;
  const press = async (control: Locator) => {
    count += 1;
    await control.click();
  };
  return { press, count: () => count };
}

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

  const { press, count } = presses();
  await press(page.getByRole('link', { name: 'Verify your bitcoin' }));
  await press(page.getByRole('button', { name: 'Dev: Create Mock User & Login' }));
  await press(page.getByRole('button', { name: 'Continue with Basic' }));
  await press(page.getByText('Samples of the development chain'));
  await press(page.getByRole('button', { name: 'Use This Sample: The self-transfer, not signed' }));
  await press(page.getByRole('button', { name: 'Sign with the Development Wallet' }));
  await press(proveButton(page));
  await page.getByText('Verification Successful!').waitFor();
  expect(count()).toBeLessThanOrEqual(7);
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

test('with a signed file it is five presses to a rank', { timeout: 60_000 }, async () => {
  const { context, page } = await newVisitor(browser);
  await page.goto('/');
  const { press, count } = presses();
  await press(page.getByRole('link', { name: 'Verify your bitcoin' }));
  await press(page.getByRole('button', { name: 'Dev: Create Mock User & Login' }));
  await press(page.getByRole('button', { name: 'Continue with Basic' }));
  await page.getByLabel('My wallet is').waitFor();
  const signed = (await samplesOf(page)).find(({ title }) => title === 'A signed self-transfer');
  await press(page.getByText('Drop the unsigned PSBT here'));
  await chooseFile(page, 'signed.psbt', Buffer.from(signed?.psbt_base64 ?? '', 'base64'));
  await press(proveButton(page));
  await page.getByText('Verification Successful!').waitFor();
  expect(count()).toBeLessThanOrEqual(5);
  await context.close();
});
