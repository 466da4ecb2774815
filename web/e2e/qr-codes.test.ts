import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromium, type Browser, type Locator } from 'playwright-core';
import { axeViolations } from './accessibility';
import { browserOptions, launch, newVisitor, signIn, THEMES } from './browser';
import { cameraFlags, film } from './camera';
import { openUpload, useSample } from './upload';

/** How long ten coins may take, from the press of the button. */
const SOON_MS = 20_000;
const COINS = 10;

let folder: string;
let browser: Browser | null = null;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proof-e2e-'));
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A PSBT over ten coins, each with as much beside it as a signature and a previous transaction take. */
function tenCoins(): Uint8Array {
  const coin = Buffer.concat([Buffer.from('00e1f50500000000', 'hex'), Buffer.from(`160014${'07'.repeat(20)}`, 'hex')]);
  const inputs = Array.from({ length: COINS }, (_, at) => Buffer.concat([Buffer.alloc(32, at + 1), Buffer.from('0000000000ffffffff', 'hex')]));
  const transaction = Buffer.concat([Buffer.from([2, 0, 0, 0, COINS]), ...inputs, Buffer.from([1]), coin, Buffer.alloc(4)]);
  const length = Buffer.from([0xfd, transaction.length & 0xff, transaction.length >> 8]);
  // A proprietary field (BIP-0174, type 0xfc) of 400 different bytes.
  const own = Buffer.concat([Buffer.from('04fc016100fd9001', 'hex'), Uint8Array.from({ length: 400 }, (_, at) => (at * 89) & 0xff)]);
  const map = Buffer.concat([Buffer.from([1, 1, coin.length]), coin, own, Buffer.alloc(1)]);
  return Buffer.concat([Buffer.from('70736274ff0100', 'hex'), length, transaction, Buffer.alloc(1), ...inputs.map(() => map), Buffer.alloc(1)]);
}

test.each(['bbqr', 'ur'] as const)('ten coins are read from the codes that a device shows: %s', async (form) => {
  const path = join(folder, `${form}.y4m`);
  await film(path, tenCoins(), form);
  await browser?.close();
  browser = await chromium.launch(browserOptions(cameraFlags(path))); // a camera belongs to a whole browser
  const { page, complaints } = await newVisitor(browser);
  await page.goto('/inspect');
  await page.getByRole('button', { name: 'Scan QR codes' }).click();
  const began = Date.now();
  const dialog = page.getByRole('dialog', { name: 'Scan QR codes' });
  await dialog.getByText(/^\d+ of \d+ parts$/).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('heading', { name: 'What this file contains' }).waitFor({ timeout: SOON_MS });
  const took = Date.now() - began;
  process.stdout.write(`${form}: ten coins in ${(took / 1000).toFixed(1)} s\n`);
  expect(took).toBeLessThan(SOON_MS);
  await page.getByRole('heading', { name: `${COINS} inputs` }).waitFor();
  expect(await page.getByText(/^scanned-[\d-]+\.psbt/).count()).toBe(1);
  expect(await dialog.count()).toBe(0);
  expect(complaints).toEqual([]);
});

const edges = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);

test('on a phone the codes are whole in view', async () => {
  browser ??= await launch();
  const { page, context } = await newVisitor(browser, { width: 390 });
  await signIn(page);
  await openUpload(page);
  await useSample(page, 'A self-transfer bound to no account');
  await page.getByRole('button', { name: 'Show as QR codes' }).click();
  const code = page.getByRole('img', { name: /^QR codes of proof-to-sign-/ });
  await code.waitFor();
  await expect.poll(async () => (await edges(code)).bottom).toBeLessThanOrEqual(844);
  expect((await edges(code)).top).toBeGreaterThanOrEqual((await edges(page.getByRole('banner'))).bottom);
  await context.close();
});

test('on a phone the bar with the button covers nothing that has the focus', async () => {
  browser ??= await launch();
  const { page, context } = await newVisitor(browser, { width: 390 });
  await signIn(page);
  await openUpload(page);
  await useSample(page, 'A signed self-transfer');
  const bar = page.locator('[data-foot]');
  await bar.waitFor();
  // Tabs through the page: nothing that takes the focus is hidden under the bar.
  let steps = 0;
  for (; steps < 25; steps++) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    // After the last element, the browser's own buttons have the focus.
    if ((await focused.count()) === 0) break;
    const [at, foot] = [await edges(focused), await edges(bar)];
    const inside = at.top >= foot.top && at.bottom <= foot.bottom;
    const covered = at.bottom > foot.top + 1 && at.top < foot.bottom;
    expect(covered && !inside, await focused.innerText()).toBe(false);
  }
  expect(steps).toBeGreaterThan(10);
  await context.close();
});

test.each(THEMES)('the made file is shown as codes: %s', async (theme) => {
  browser ??= await launch();
  const { page, complaints, context } = await newVisitor(browser, { theme });
  await signIn(page);
  await openUpload(page);
  await useSample(page, 'A self-transfer bound to no account');
  await page.getByRole('button', { name: 'Show as QR codes' }).click();
  await page.getByRole('img', { name: /^QR codes of proof-to-sign-/ }).waitFor();
  await page.getByRole('button', { name: 'Next Code' }).click();
  await page.getByText(/^Code 2 of \d+$/).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});
