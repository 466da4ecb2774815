import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch, newVisitor, sendSample, sessionOf, signIn } from './browser';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

const SAMPLE = 'Cold storage, 2 of 3'; // 12.5 BTC
const SATS = 1_250_000_000;

/** What the newest receipt says, as a program would read it; nothing while there is none. */
async function rowInLog(page: Page): Promise<string> {
  const headers = { Authorization: `Bearer ${(await sessionOf(page)).access_token}` };
  const receipt = await page.request.get('/api/functions/v1/receipt', { headers });
  const extra = /^extra (.*)$/m.exec(receipt.ok() ? await receipt.text() : '')?.[1] ?? '';
  return Buffer.from(extra, 'base64').toString();
}

test('a receipt from the profile is right on the page that checks, offline too, and a changed one is not', { timeout: 60_000 }, async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await signIn(page);
  await sendSample(page, SAMPLE);
  // The receipt is available after the next entry of the log.
  await expect.poll(() => rowInLog(page), { timeout: 20_000 }).toContain(String(SATS));
  await page.goto('/profile');
  const downloading = page.waitForEvent('download');
  await page.getByText('of your rank', { exact: true }).click();
  await page.getByRole('button', { name: 'Receipt' }).click();
  const receipt = await buffer(await (await downloading).createReadStream());
  await page.getByRole('status').filter({ hasText: 'The file shows your row as of block' }).getByText('12.50000000 BTC').waitFor();

  await page.goto('/verify');
  await page.getByText('Works offline').waitFor();
  const bring = (file: Buffer) => page.getByLabel(/^Choose or drop a proof/).setInputFiles({ name: 'row.tlog-proof', mimeType: 'text/plain', buffer: file });
  const right = page.getByRole('status').filter({ hasText: 'This receipt is right' });
  const wrong = page.getByRole('alert').filter({ hasText: 'This receipt is not right' });
  await bring(receipt);
  await right.getByText('with 12.50000000 BTC').waitFor();
  await context.setOffline(true);
  const [index] = /^index \d+$/m.exec(receipt.toString()) ?? [''];
  await bring(Buffer.from(receipt.toString().replace(index, `${index}0`)));
  await wrong.waitFor();
  await bring(receipt);
  await right.getByText('with 12.50000000 BTC').waitFor();
  await context.setOffline(false);
  expect(complaints).toEqual([]);
  await context.close();
});

interface Kept {
  checkpoint: string;
  keys: string[];
}

const kept = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('board-log') ?? 'null') as Kept | null);

/** Advances the page's clock until its watch of the log is due. */
async function leaveAlone(page: Page): Promise<void> {
  await page.clock.fastForward(20_000);
}

test('a board that denies or withholds the part of its log that this browser has seen raises an alarm', { timeout: 60_000 }, async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await page.clock.install();
  const visit = async () => {
    await page.goto('/how-it-works');
    await page.getByRole('heading', { name: 'Leaderboard ranking' }).waitFor();
  };
  await visit();
  await expect
    .poll(async () => {
      await leaveAlone(page);
      return kept(page);
    })
    .toMatchObject({ keys: [expect.any(String)] });
  const alarm = page.getByRole('alert');
  expect(await alarm.count()).toBe(0);

  // Makes the browser remember another history of this board.
  const seen = (await kept(page)) as Kept;
  const [origin = '', size = '', root = ''] = seen.checkpoint.split('\n');
  const other = Buffer.from(Buffer.from(root, 'base64').map((byte) => byte ^ 1)).toString('base64');
  const before = { ...seen, checkpoint: seen.checkpoint.replace(`${origin}\n${size}\n${root}`, `${origin}\n${size}\n${other}`) };
  await page.evaluate((text) => localStorage.setItem('board-log', text), JSON.stringify(before));
  await visit();
  await expect
    .poll(async () => {
      await leaveAlone(page);
      return alarm.allInnerTexts();
    })
    .toEqual([expect.stringContaining('This board’s history no longer matches what you saw')]);
  expect(await kept(page)).toEqual(before);
  await page.getByRole('button', { name: 'I Have Read This' }).click();
  await alarm.waitFor({ state: 'detached' });
  await expect.poll(async () => (await kept(page))?.checkpoint).not.toBe(before.checkpoint);

  await page.route('**/log/checkpoint', (route) => route.fulfill({ status: 404, body: '' }));
  await visit();
  await expect
    .poll(async () => {
      await leaveAlone(page);
      return alarm.allInnerTexts();
    })
    .toEqual([expect.stringContaining('This board’s history no longer matches what you saw')]);
  expect(complaints).toEqual([]);
  await context.close();
});
