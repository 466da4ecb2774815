import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { askApi, launch, newVisitor, samplesOf, sendProof, sessionOf, signIn, signInByHand, type Sample } from './browser';
import { chooseFile, dropFile, fileInput, openUpload, useSample, proveButton } from './upload';

interface Row {
  username: string;
  bitcoin_holdings: number | null;
  rank: number | null;
}

let browser: Browser;
let folder: string;
beforeAll(async () => {
  browser = await launch();
  folder = await mkdtemp(join(tmpdir(), 'proof-e2e-'));
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Records every request from now on that sends something. */
function watchSending(page: Page): Request[] {
  const sent: Request[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' || request.url().length > 1000) sent.push(request);
  });
  return sent;
}

function sampleNamed(samples: Sample[], title: string): Sample {
  const sample = samples.find((candidate) => candidate.title === title);
  if (!sample) throw new Error(`no sample is called ${title}`);
  return sample;
}

const SELF_TRANSFER = 'A signed self-transfer';
const MULTISIG = 'Cold storage, 2 of 3';

test('a holder proves holdings, and nothing is sent before the button', { timeout: 60_000 }, async () => {
  const { context, page, complaints } = await newVisitor(browser);
  const wasm: string[] = [];
  page.on('request', (request) => request.url().endsWith('.wasm') && wasm.push(request.url()));
  await signInByHand(page);
  expect(wasm, 'the wasm module waits for the upload page').toEqual([]);

  await openUpload(page);
  const sample = sampleNamed(await samplesOf(page), MULTISIG);
  const sent = watchSending(page);
  await useSample(page, MULTISIG);

  // What the file contains, read in the browser; the rest is folded.
  const report = page.getByRole('region', { name: 'Your proof' });
  await report.getByText('2 coins', { exact: true }).click();
  await report.getByText('What we send').click();
  const text = (await report.innerText()).replace(/\s+/g, ' ');
  expect(text).toContain('Total of the inputs 12.50000000 BTC');
  expect(text).toContain('2 inputs');
  expect(text).toContain('P2WSH (SegWit)');
  expect(text).toContain('Signed, not finalized');
  expect(text).toMatch(/Removed before sending, on this device:.*3 extended public keys/);
  // The reader, then what checks signatures; each once.
  await page.getByText('Signatures valid, made for you').waitFor();
  await expect.poll(() => wasm).toHaveLength(2);
  expect(sent.map((request) => request.url()), 'sent before the button').toEqual([]);

  await proveButton(page).click();
  await page.getByText('Verification Successful!').waitFor();
  await page.getByText('PSBT successfully verified!').waitFor();
  await page.getByText('12.50000000 BTC', { exact: true }).first().waitFor();
  await page.getByText('proofs expire after 90 days').waitFor();

  const submissions = sent.filter((request) => request.url().endsWith('/submit-proof'));
  expect(submissions).toHaveLength(1);
  const body = submissions[0]?.postDataJSON() as { psbtBase64: string; utxos: unknown[]; file_name: string };
  expect(Object.keys(body).toSorted()).toEqual(['file_name', 'psbtBase64', 'utxos']);
  expect(body.utxos).toHaveLength(2);
  const original = Buffer.from(sample.psbt_base64, 'base64');
  const stripped = Buffer.from(body.psbtBase64, 'base64');
  const tpub = Buffer.from('043587cf', 'hex'); // version bytes of a testnet extended public key (BIP-32)
  expect(original.includes(tpub)).toBe(true);
  expect(stripped.includes(tpub)).toBe(false);
  expect(stripped.length).toBeLessThan(original.length);

  // After three seconds the profile opens.
  await page.waitForURL(/\/profile\/[0-9a-f-]{36}$/);
  await page.getByRole('heading', { name: 'Proof #1' }).waitFor();
  await expect.poll(() => page.getByText('12.50000000 BTC').count()).toBeGreaterThan(0);

  // On the leaderboard, with the right amount and rank.
  const id = page.url().split('/').at(-1) ?? '';
  const rows = await askApi<Row[]>(page, '/api/rest/v1/profiles?select=*&order=bitcoin_holdings.desc.nullslast&limit=100');
  const above = rows.filter((row) => (row.bitcoin_holdings ?? 0) > 12.5).length;
  const { rank } = await askApi<{ rank: number }>(page, `/api/functions/v1/getUserRank/${id}`);
  expect(rank).toBe(above + 1);
  const name = await page.getByRole('heading', { level: 1 }).innerText();
  await page.goto(`/leaderboard?u=${name}`); // where a shared link leads: the row may be far down
  const own = page.getByRole('row').filter({ hasText: '(you)' });
  await own.waitFor();
  expect((await own.getByRole('cell').nth(0).innerText()).replace(/\D/g, '')).toBe(String(rank));
  expect(await own.getByRole('cell').nth(2).innerText()).toMatch(/(^|\n)12\.50000000$/);
  expect(await own.getByRole('cell').nth(4).innerText()).toMatch(/^Verified\s+today/);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a second user who sends the same file is refused', { timeout: 60_000 }, async () => {
  const first = await newVisitor(browser);
  await signIn(first.page);
  const sample = sampleNamed(await samplesOf(first.page), SELF_TRANSFER);
  const path = join(folder, sample.file_name);
  await writeFile(path, Buffer.from(sample.psbt_base64, 'base64'));

  // Chooses a file from the disk in the file dialog.
  await openUpload(first.page);
  await fileInput(first.page).setInputFiles(path);
  await first.page.getByText(`${sample.file_name} (`).first().waitFor();
  await first.page.getByRole('heading', { name: 'Your proof is signed' }).waitFor();
  await proveButton(first.page).click();
  await first.page.getByText('Verification Successful!').waitFor();

  const second = await newVisitor(browser);
  await signIn(second.page);
  await openUpload(second.page);
  await dropFile(second.page, 'borrowed.psbt', Buffer.from(sample.psbt_base64, 'base64'));
  // The page sees it before it sends anything, and the server refuses it too.
  await second.page.getByText('This file was made for another account').waitFor();
  expect(await proveButton(second.page).count()).toBe(0);
  const answer = await sendProof(second.page, sample.psbt_base64);
  expect(answer.status).toBe('error');
  expect(answer.message).toContain('carries a statement that does not count for your account');
  const { rank } = await askApi<{ rank: number | null }>(
    second.page,
    `/api/functions/v1/getUserRank/${(await sessionOf(second.page)).user.id}`,
  );
  expect(rank).toBeNull();
  expect([...first.complaints, ...second.complaints]).toEqual([]);
  await first.context.close();
  await second.context.close();
});

test('the same file again is already verified, and its sender stays on the page', { timeout: 60_000 }, async () => {
  const { context, page } = await newVisitor(browser);
  await signIn(page);
  const sample = sampleNamed(await samplesOf(page), SELF_TRANSFER);
  for (const expected of ['Verification Successful!', 'Already Verified']) {
    await openUpload(page);
    await chooseFile(page, sample.file_name, Buffer.from(sample.psbt_base64, 'base64'));
    await page.getByRole('heading', { name: 'Your proof is signed' }).waitFor();
    await proveButton(page).click();
    await page.getByText(expected, { exact: true }).waitFor();
  }
  await page.getByText('no changes needed').waitFor();
  expect(await page.getByText('Your profile opens in a moment').count()).toBe(0);
  await context.close();
});

test('an unsigned file is made into a proof, which is recognized when it comes back unsigned', { timeout: 60_000 }, async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await signIn(page);
  await openUpload(page);
  const sent = watchSending(page);
  await useSample(page, 'The self-transfer, not signed');
  await page.getByText('2.25000000 BTC').first().waitFor();
  const [made] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the file to sign' }).click(),
  ]);
  expect(made.suggestedFilename()).toMatch(/^proof-to-sign-.+\.psbt$/);
  expect(await proveButton(page).count()).toBe(0);

  const bytes = await buffer(await made.createReadStream());
  const { statement } = await askApi<{ statement: string }>(page, '/api/functions/v1/proof-challenge');
  expect(bytes.includes(Buffer.from(statement, 'ascii'))).toBe(true);
  await chooseFile(page, made.suggestedFilename(), bytes);
  await page.getByText('This file is not signed yet.').waitFor();
  await page.getByText('What this file contains').click();
  await page.getByText('This file is bound to your account').waitFor();
  expect(sent.map((request) => request.url()), 'nothing is sent').toEqual([]);

  // The chosen file survives a look at another page, and goes with the session.
  await page.getByRole('link', { name: 'How It Works' }).first().click();
  await page.getByRole('link', { name: 'Verify your bitcoin' }).click();
  await page.getByText('This file is not signed yet.').waitFor();

  // The development wallet signs it, and the signed file becomes the chosen one.
  await page.getByRole('button', { name: 'Sign with the Development Wallet' }).click();
  await page.getByText('Signatures valid, made for you').waitFor();
  await proveButton(page).click();
  await page.getByText('Verification Successful!').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('a newcomer walks the whole way with the mouse alone, in either form', { timeout: 60_000 }, async () => {
  // The first input of a message is the message itself.
  for (const [form, inputs] of [['transaction', 2], ['message', 3]] as const) {
    const { context, page, complaints } = await newVisitor(browser);
    await signIn(page);
    await openUpload(page);
    await useSample(page, 'The self-transfer, not signed');
    if (form === 'message') await page.getByLabel('My wallet is').selectOption('bitcoin-core');
    await page.getByRole('button', { name: 'Sign with the Development Wallet' }).click();
    await page.getByText('Signatures valid, made for you').waitFor();
    await page.getByText(`${inputs} of ${inputs}`, { exact: true }).waitFor();
    await proveButton(page).click();
    await page.getByText('Verification Successful!').waitFor();
    await page.getByText('2.25000000 BTC', { exact: true }).first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  }
});

test('a signed file that says nothing of whose it is is offered as a proof to sign', { timeout: 60_000 }, async () => {
  const { context, page } = await newVisitor(browser);
  await signIn(page);
  await openUpload(page);
  await useSample(page, 'A self-transfer bound to no account');
  await page.getByText('Your file is signed, so anyone who has it can send it').waitFor();
  await page.getByRole('button', { name: 'Save the file to sign' }).waitFor();
  expect(await proveButton(page).count()).toBe(0);
  const sample = sampleNamed(await samplesOf(page), 'A self-transfer bound to no account');
  expect(await sendProof(page, sample.psbt_base64)).toMatchObject({ status: 'error', message: expect.stringContaining('it carries your statement neither as a BIP-322 message') });
  await context.close();
});

test('text is pasted as a file, under a name that tells', { timeout: 60_000 }, async () => {
  const { context, page } = await newVisitor(browser);
  await signIn(page);
  const sample = sampleNamed(await samplesOf(page), SELF_TRANSFER);
  await openUpload(page);
  await page.getByLabel('Paste the file as text').fill(`{"psbt": "${sample.psbt_base64}", "complete": true}`);
  await page.getByText(/^pasted-\d{4}-\d\d-\d\d-\d{4}\.psbt \(/).waitFor();
  await proveButton(page).click();
  await page.getByText('Verification Successful!').waitFor();
  await context.close();
});

test('a visitor who wanted to prove something returns to it after signing in and choosing a plan', { timeout: 60_000 }, async () => {
  const { context, page } = await newVisitor(browser);
  await page.goto('/upload');
  await page.waitForURL('**/login');
  await page.getByRole('button', { name: 'Dev: Create Mock User & Login' }).click();
  await page.waitForURL('**/choose-plan');
  await page.getByRole('button', { name: 'Continue with Basic' }).click();
  await page.waitForURL('**/upload');
  await page.getByRole('heading', { name: 'Bring a file with your coins' }).waitFor();
  await context.close();
});

test.each([1440, 390])('from the landing page, signed out, to the request for the wallet are at most five presses, %i px wide', { timeout: 60_000 }, async (width) => {
  const { context, page } = await newVisitor(browser, { width });
  await page.goto('/');
  await page.waitForURL('**/leaderboard');
  let presses = 0;
  const press = async (locator: Locator) => {
    presses += 1;
    await locator.click();
  };
  if (width < 500) await press(page.getByRole('button', { name: 'Open menu' }));
  await press(page.getByRole('navigation', { name: width < 500 ? 'Mobile' : 'Main' }).getByRole('link', { name: 'How It Works' }));
  await press(page.getByRole('link', { name: 'Verify your bitcoin' }));
  await page.waitForURL('**/login');
  await press(page.getByRole('button', { name: 'Dev: Create Mock User & Login' }));
  await press(page.getByRole('button', { name: 'Continue with Basic' }));
  // Opens the address that was requested before signing in.
  await page.waitForURL('**/upload');
  await page.getByLabel('My wallet is').waitFor();
  expect(presses).toBeLessThanOrEqual(5);
  await context.close();
});

test('the page says that it is offline, and the button waits', async () => {
  const { context, page } = await newVisitor(browser);
  await signIn(page);
  await openUpload(page);
  await useSample(page, 'A signed self-transfer');
  await context.setOffline(true);
  await page.getByText('You are currently offline. Please check your internet connection.').waitFor();
  await expect.poll(() => proveButton(page).isDisabled()).toBe(true);
  await context.setOffline(false);
  await page.getByText('You are currently offline.').first().waitFor({ state: 'detached' });
  await expect.poll(() => proveButton(page).isEnabled()).toBe(true);
  await context.close();
});

test('coins that another account has proven are a conflict', { timeout: 60_000 }, async () => {
  // Both hold the keys of these coins, and each file is signed for the one who sends it.
  for (const expected of ['Verification Successful!', 'Conflict Detected']) {
    const { context, page } = await newVisitor(browser);
    await signIn(page);
    const sample = sampleNamed(await samplesOf(page), 'A wallet that others hold too');
    await openUpload(page);
    await chooseFile(page, sample.file_name, Buffer.from(sample.psbt_base64, 'base64'));
    await page.getByRole('heading', { name: 'Your proof is signed' }).waitFor();
    await proveButton(page).click();
    await page.getByText(expected, { exact: true }).waitFor();
    if (expected === 'Conflict Detected') {
      await page.getByText('One or more of these UTXOs are already claimed by another user.').waitFor();
    }
    await context.close();
  }
});
