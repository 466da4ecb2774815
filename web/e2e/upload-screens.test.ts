import { afterAll, beforeAll, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch, newVisitor, samplesOf, signIn, waitsFor } from './browser';
import { check, type Screen } from './look';
import { chooseFile, openUpload, useSample, proveButton } from './upload';

/** A file that gets this response from the server. */
const submitAnswer = (status: number, word: string) => async (page: Page) => {
  await openUpload(page);
  await useSample(page, 'A signed self-transfer');
  await page.route('**/submit-proof', (route) =>
    route.fulfill({ status, json: { status: word, message: 'A sentence that says which rule and which input.' } }),
  );
  await proveButton(page).click();
};

const UPLOAD: Screen[] = [
  // Starts with the first sample, because choosing the same file again changes nothing.
  {
    name: 'upload-success',
    open: async (page) => {
      await openUpload(page);
      await useSample(page, 'A signed self-transfer');
      await waitsFor(page, 3000);
      await proveButton(page).click();
    },
    ready: (page) => page.getByText('Verification Successful!').waitFor(),
  },
  {
    name: 'upload',
    open: async (page) => {
      await openUpload(page);
      await page.getByLabel('My wallet is').selectOption('bitcoin-core');
    },
    ready: (page) => page.getByText('Samples of the development chain').waitFor(),
  },
  {
    name: 'upload-unsigned',
    open: async (page) => {
      await openUpload(page);
      await useSample(page, 'The self-transfer, not signed');
    },
    ready: (page) => page.getByRole('button', { name: 'Save the file to sign' }).waitFor(),
  },
  ...['ledger', 'jade', 'electrum'].map((id): Screen => ({
    name: `upload-sign-${id}`,
    open: async (page) => {
      await openUpload(page);
      await page.getByLabel('My wallet is').selectOption(id);
      await useSample(page, 'The self-transfer, not signed');
    },
    ready: (page) => page.getByRole('region', { name: /^What .* shows$/ }).waitFor(),
  })),
  {
    name: 'upload-exchange',
    open: async (page) => {
      await openUpload(page);
      await page.getByLabel('My wallet is').selectOption('exchange');
    },
    ready: (page) => page.getByText(/An exchange holds the keys for you/).waitFor(),
  },
  {
    name: 'upload-bad-file',
    open: async (page) => {
      await openUpload(page);
      await chooseFile(page, 'holiday.jpg', Buffer.from('no'));
    },
    ready: (page) => page.getByText('Please upload a valid PSBT file').waitFor(),
  },
  {
    name: 'upload-verifying',
    open: async (page) => {
      await openUpload(page);
      await useSample(page, 'A signed self-transfer');
      await page.route('**/submit-proof', () => {}); // never answered
      await proveButton(page).click();
    },
    ready: (page) => page.getByText('Verifying...').first().waitFor(),
  },
  { name: 'upload-conflict', open: submitAnswer(409, 'conflict'), ready: (page) => page.getByText('Conflict Detected').waitFor() },
  { name: 'upload-failed', open: submitAnswer(422, 'error'), ready: (page) => page.getByText('Verification Failed').waitFor() },
  {
    name: 'upload-report',
    open: async (page) => {
      await openUpload(page);
      await useSample(page, 'Cold storage, 2 of 3');
    },
    ready: (page) => page.getByText('Signatures valid, made for you').waitFor(),
  },
  {
    name: 'inspect-file',
    open: async (page) => {
      const sample = (await samplesOf(page)).find(({ id }) => id === 'cold-storage-multisig');
      await page.goto('/inspect');
      await chooseFile(page, 'coins.psbt', Buffer.from(sample?.psbt_base64 ?? '', 'base64'));
    },
    ready: (page) => page.getByRole('button', { name: /^Download without private data/ }).waitFor(),
  },
];

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

test('the upload page with each kind of file', { timeout: 300_000 }, async () => {
  const visitor = await newVisitor(browser);
  await signIn(visitor.page);
  for (const screen of UPLOAD) await check(visitor, screen);
  await visitor.context.close();
});
