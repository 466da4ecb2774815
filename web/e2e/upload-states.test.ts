import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser, Page, Route } from 'playwright-core';
import { askApi, BASE_URL, launch, newVisitor, samplesOf, signIn, type Visitor } from './browser';
import { chooseFile, openUpload, useSample, pressSample, proveButton } from './upload';

let browser: Browser;
let visitor: Visitor;
beforeAll(async () => {
  browser = await launch();
  visitor = await newVisitor(browser);
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(visitor.page);
});
afterAll(() => browser?.close());

const SUBMIT = '**/api/functions/v1/submit-proof';
beforeEach(() => visitor.page.unroute(SUBMIT));

async function chooseAndAnswer(page: Page, answer: (route: Route) => unknown): Promise<void> {
  await openUpload(page);
  await useSample(page, 'A signed self-transfer');
  await page.route(SUBMIT, answer);
  await proveButton(page).click();
}

const ACCEPTED = {
  amount: 2.25,
  amount_sats: 225_000_000,
  total: 2.25,
  total_sats: 225_000_000,
  expires_at: '2027-02-19T00:00:00Z',
  binding: 'transaction',
  proof_id: '00000000-0000-4000-8000-000000000000',
  published: false,
};

test('on load the limits are checked, and said so', async () => {
  const { page } = visitor;
  await page.route('**/api/functions/v1/proof-challenge', () => {}); // never answered
  await page.goto('/upload');
  await page.getByText('Checking your upload limits...').waitFor();
  await page.unroute('**/api/functions/v1/proof-challenge');
});

test('the statement can be copied where it is shown first', async () => {
  const { page } = visitor;
  await openUpload(page);
  await useSample(page, 'The self-transfer, not signed');
  await page.getByRole('button', { name: 'Copy the statement' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(clipboard).toMatch(/^Proof of Reserves .+ [a-z2-7]{20,22}$/);
  expect(await clipboard()).toContain(new URL(BASE_URL).host);
});

test('a file of another network gets its sentence', async () => {
  const { page } = visitor;
  // As the server says of coins that its chain does not have.
  const message = 'Input 1 spends a coin that does not exist on this network. Check that the wallet is on the right network.';
  await chooseAndAnswer(page, (route) => route.fulfill({ status: 422, json: { status: 'error', code: 'unknown-coin', message, input: 0 } }));
  const alert = page.getByRole('alert').filter({ hasText: 'Verification Failed' });
  await alert.getByText(message).waitFor();
  await page.getByText('Click or drag a new file to try again.').waitFor();
});

test('a statement that cannot be fetched is said, and asked for again', async () => {
  const { page } = visitor;
  await page.route('**/api/functions/v1/proof-challenge', (route) => route.fulfill({ status: 500, json: { message: 'Out of order.' } }));
  await openUpload(page);
  const trouble = page.getByRole('alert').filter({ hasText: 'Couldn’t get your statement' });
  await trouble.waitFor();
  expect(await trouble.innerText()).toContain('Out of order.');
  await page.unroute('**/api/functions/v1/proof-challenge');
  await trouble.waitFor({ state: 'detached' });
});

test('while the server checks, the page says how far the file is', async () => {
  const { page } = visitor;
  const waiting: Route[] = [];
  await chooseAndAnswer(page, (route) => waiting.push(route));
  const steps = page.getByRole('list', { name: 'Progress' });
  await steps.waitFor();
  expect(await steps.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^Read on this device: 2 coins/),
    expect.stringMatching(/^Private parts removed: [\d.]+ KB sent/),
    expect.stringMatching(/^The server checks every signature, then looks every coin up on the chain/),
  ]);
  await steps.getByRole('timer').filter({ hasText: /^\d+ s$/ }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Verifying...' }).isDisabled()).toBe(true);
  await waiting[0]?.fulfill({ json: { status: 'success', message: '', ...ACCEPTED } });
  await page.getByText('Verification Successful!').waitFor();
  await steps.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Stay here' }).click();
});

test('waiting for the response can be stopped, with a sentence on what that means, and the file can be sent again', async () => {
  const { page } = visitor;
  await chooseAndAnswer(page, () => {}); // never answered
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('alert').filter({ hasText: 'You stopped waiting for the answer' }).waitFor();
  await page.unroute(SUBMIT);
  await page.route(SUBMIT, (route) => route.fulfill({ json: { status: 'already-verified', message: '', ...ACCEPTED } }));
  await proveButton(page).click();
  await page.getByText('Already Verified').waitFor();
  expect(await page.getByText('You stopped waiting').count()).toBe(0);
});

test('reading can be stopped, whichever module it waits for; the next call gets a new worker', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await signIn(page);
  for (const [module, sample, working, again, result] of [
    ['psbt_wasm_bg', 'A signed self-transfer', 'Reading', null, 'Signatures valid, made for you'],
    ['psbt_wasm_tools', 'The self-transfer, not signed', 'Reading whose it is', 'Read It Again', /^proof-to-sign-/],
    ['psbt_wasm_tools', 'A signed self-transfer', 'Reading whose it is', 'Read It Again', 'Signatures valid, made for you'],
  ] as const) {
    const wasm = `**/assets/${module}*.wasm`;
    await openUpload(page);
    await context.route(wasm, () => {}); // the work never ends
    await pressSample(page, sample);
    await page.getByRole('status').filter({ hasText: working }).waitFor();
    await page.getByRole('timer').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('You stopped reading the file.').waitFor();
    await context.unroute(wasm);
    if (again) await page.getByRole('button', { name: again }).click();
    else await pressSample(page, sample);
    await page.getByText(result).waitFor();
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test('the check of signatures can be stopped; the next one gets a new worker', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await signIn(page);
  const sample = (await samplesOf(page)).find(({ title }) => title === 'A signed self-transfer');
  await page.goto('/inspect');
  const wasm = '**/assets/psbt_wasm_tools*.wasm';
  await context.route(wasm, () => {}); // the work never ends
  await chooseFile(page, 'coins.psbt', Buffer.from(sample?.psbt_base64 ?? '', 'base64'));
  await page.getByRole('status').filter({ hasText: 'Checking the signatures of 2 inputs' }).waitFor();
  await page.getByRole('timer').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('You stopped the check of the signatures').waitFor();
  await context.unroute(wasm);
  await page.getByRole('button', { name: 'Check the Signatures' }).click();
  await page.getByText('The signatures of 2 inputs are valid').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test.each([
  ['success', 'Verification Successful!', 'proofs expire after 90 days'],
  ['reverified', 'Proof Refreshed', 'valid for another 90 days'],
  ['already-verified', 'Already Verified', 'no changes needed'],
])('%s is shown as %s, with its tier note', async (status, heading, note) => {
  const { page } = visitor;
  await chooseAndAnswer(page, (route) => route.fulfill({ json: { status, message: '', ...ACCEPTED } }));
  const box = page.getByRole('status').filter({ hasText: heading });
  await box.waitFor();
  expect(await box.innerText()).toContain(note);
  expect(await box.innerText()).toContain('2.25000000 BTC');
  await page.getByText('PSBT successfully verified!').waitFor();
});

test.each([
  [409, { status: 'conflict', message: 'Conflict here.' }, 'Conflict Detected', 'One or more of these UTXOs are already claimed by another user.'],
  [422, { status: 'error', message: 'Input 2 is signed with SIGHASH NONE.' }, 'Verification Failed', 'Input 2 is signed with SIGHASH NONE.'],
  [429, { status: 'error', message: 'Too many files. Try again in 10 minutes.' }, 'Verification Failed', 'Try again in 10 minutes.'],
  [401, { status: 'error', message: 'You must be logged in to verify a PSBT.' }, 'Verification Failed', 'You must be logged in to verify a PSBT.'],
  [500, '', 'Verification Failed', 'Verification failed.'],
])('%i: %j', async (status, body, heading, text) => {
  const { page } = visitor;
  await chooseAndAnswer(page, (route) => route.fulfill({ status, json: body }));
  const box = page.getByRole('alert').filter({ hasText: heading });
  await box.waitFor();
  expect(await box.innerText()).toContain(text);
  await page.getByText('Click or drag a new file to try again.').waitFor();
});

test('no answer at all is unexpected, and the same file can be sent once more', async () => {
  const { page } = visitor;
  await chooseAndAnswer(page, (route) => route.abort());
  await page.getByText(/^An unexpected error occurred: Can’t reach the server/).waitFor();
  await page.unroute(SUBMIT);
  await page.route(SUBMIT, (route) => route.fulfill({ status: 503, json: { status: 'error', message: 'The chain is out of reach.' } }));
  await proveButton(page).click();
  await page.getByText('The chain is out of reach.').waitFor();
  await page.unroute(SUBMIT);
  await proveButton(page).click();
  await page.getByText('Verification Successful!').waitFor();
  await page.waitForURL(/\/profile\//);
  expect(await askApi<unknown[]>(page, `/api/rest/v1/psbts?user_id=eq.${page.url().split('/').at(-1)}`)).toHaveLength(1);
});
