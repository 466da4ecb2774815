import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { axeViolations } from './accessibility';
import { launch, newVisitor, samplesOf, signIn, type Sample } from './browser';
import { cameraFlags, film } from './camera';

/** How long reading may take, from the press of the button. */
const SOON_MS = 20_000;

let folder: string;
let sample: Sample;
let browser: Browser | null = null;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proof-e2e-'));
  const asking = await launch();
  const { page } = await newVisitor(asking);
  await signIn(page);
  const samples = await samplesOf(page);
  // The largest has the most codes.
  [sample] = samples.toSorted((a, b) => b.psbt_base64.length - a.psbt_base64.length) as [Sample];
  await asking.close();
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

test.each(['bbqr', 'ur'] as const)('a file is read from the codes that a device shows: %s', async (form) => {
  const path = join(folder, `${form}.y4m`);
  await film(path, Buffer.from(sample.psbt_base64, 'base64'), form);
  await browser?.close();
  browser = await launch(cameraFlags(path));
  const { page, complaints } = await newVisitor(browser);
  await page.goto('/inspect');
  await page.getByRole('button', { name: 'Scan QR codes' }).click();
  const began = Date.now();
  const dialog = page.getByRole('dialog', { name: 'Scan QR codes' });
  await dialog.getByText(/^\d+ of \d+ parts$/).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('heading', { name: 'What this file contains' }).waitFor({ timeout: SOON_MS });
  expect(Date.now() - began).toBeLessThan(SOON_MS);
  expect(await page.getByText(/^scanned-[\d-]+\.psbt$/).count()).toBe(1);
  expect(await dialog.count()).toBe(0);
  expect(complaints).toEqual([]);
});
