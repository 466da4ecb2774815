import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch, newVisitor, resize, samplesOf, signIn, type Sample } from './browser';
import { chooseFile, FIRST_CONTROL_PX, firstControl, openUpload, proveButton, stepHeading } from './upload';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

const wallet = (id: string) => async (page: Page) => {
  await openUpload(page);
  await page.getByLabel('My wallet is').selectOption(id);
};

/** A sample as the chosen file, or only its first bytes. */
const sample = (id: string, bytes?: number) => async (page: Page, samples: Sample[]) => {
  await openUpload(page);
  await chooseFile(page, 'coins.psbt', Buffer.from(samples.find((one) => one.id === id)?.psbt_base64 ?? '', 'base64').subarray(0, bytes));
  await (bytes ? page.getByRole('alert') : stepHeading(page)).waitFor();
};

/** The states of the page, and a text that shows when each is complete. */
const STATES: [name: string, open: (page: Page, samples: Sample[]) => Promise<unknown>, ready: (page: Page) => Promise<unknown>][] = [
  ['no file', openUpload, (page) => page.getByText('Drop the unsigned PSBT here').waitFor()],
  ['a wallet is chosen', wallet('bitcoin-core'), (page) => page.getByText('Enable coin control features').waitFor()],
  ['a wallet that cannot make a proof', wallet('exchange'), (page) => page.getByText(/An exchange holds the keys for you/).waitFor()],
  ['to publish', (page) => page.goto('/upload?publish'), (page) => page.getByText('Drop the signed file').waitFor()],
  ['a file that cannot be read', sample('self-transfer', 200), (page) => page.getByText('Invalid PSBT: Could not parse.').waitFor()],
  ['to sign', sample('unsigned'), (page) => page.getByRole('button', { name: 'Save the file to sign' }).waitFor()],
  ['to sign in place of a signed file', sample('unbound'), (page) => page.getByText('Your file is signed, so anyone who has it can send it').waitFor()],
  ['signed', sample('self-transfer'), (page) => page.getByText('Signatures valid, made for you').waitFor()],
];

test('the first control of each step is near the top of the window, on a desktop and on a phone', async () => {
  const { context, page } = await newVisitor(browser);
  await signIn(page);
  const samples = await samplesOf(page);
  for (const [name, open, ready] of STATES) {
    await open(page, samples);
    for (const width of [1440, 390]) {
      await resize(page, width);
      await ready(page);
      // A step may have scrolled to its heading.
      await page.evaluate(() => window.scrollTo(0, 0));
      const { top, name: control } = await firstControl(page);
      expect(top, `${name}, ${width} px wide: ${control}`).toBeLessThanOrEqual(FIRST_CONTROL_PX);
    }
  }
  // The last step's button is in the window whatever is above it.
  const button = await proveButton(page).boundingBox();
  expect((button?.y ?? Number.NaN) + (button?.height ?? 0)).toBeLessThanOrEqual(844);
  await context.close();
});
