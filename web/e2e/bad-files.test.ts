import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { askApi, launch, newVisitor, samplesOf, sendProof, sessionOf, signIn, type Visitor } from './browser';
import { chooseFile, dropFile, openUpload, useSample, proveButton } from './upload';

let browser: Browser;
let visitor: Visitor;
let signed: Buffer;
/** Calls of submit-proof so far. */
let submissions = 0;

beforeAll(async () => {
  browser = await launch();
  visitor = await newVisitor(browser);
  await signIn(visitor.page);
  const sample = (await samplesOf(visitor.page)).find(({ id }) => id === 'self-transfer');
  signed = Buffer.from(sample?.psbt_base64 ?? '', 'base64');
  expect(signed.length).toBeGreaterThan(0);
  visitor.page.on('request', (request) => {
    if (request.url().endsWith('/submit-proof')) submissions++;
  });
});
afterAll(() => browser?.close());

const COULD_NOT_PARSE = 'Invalid PSBT: Could not parse.';

const LOCAL: { name: string; file: string; bytes: () => Buffer; says: string[] }[] = [
  { name: 'wrong extension', file: 'notes.txt', bytes: () => signed, says: ['Please upload a valid PSBT file (.psbt extension)'] },
  { name: 'empty file', file: 'empty.psbt', bytes: () => Buffer.alloc(0), says: [COULD_NOT_PARSE, 'Invalid PSBT: File too short'] },
  {
    name: 'five random bytes',
    file: 'random.psbt',
    bytes: () => Buffer.concat([Buffer.from([0]), randomBytes(4)]),
    says: [COULD_NOT_PARSE, 'Invalid PSBT: Invalid magic number'],
  },
  { name: 'truncated file', file: 'half.psbt', bytes: () => signed.subarray(0, signed.length >> 1), says: [COULD_NOT_PARSE] },
];

test.each(LOCAL)('$name is refused before anything is sent', async ({ file, bytes, says }) => {
  const { page } = visitor;
  await openUpload(page);
  const before = submissions;
  await chooseFile(page, file, bytes());
  const alert = page.getByRole('alert');
  await alert.waitFor();
  const text = await alert.innerText();
  for (const sentence of says) expect(text).toContain(sentence);
  expect(text).toContain('Click or drag a new file to try again.');
  expect(await proveButton(page).count()).toBe(0);
  expect(submissions).toBe(before);
  await expectNothingProven();
});

test('a 50 MB file is refused before it is read', async () => {
  const { page } = visitor;
  await openUpload(page);
  const before = submissions;
  await dropFile(page, 'huge.psbt', 50_000_000);
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.innerText()).toContain('This file is too large: 47.7 MiB.');
  expect(await alert.innerText()).toContain('32 MiB');
  expect(await proveButton(page).count()).toBe(0);
  expect(submissions).toBe(before);
  await expectNothingProven();
});

test('a truncated file gets a reason', async () => {
  const { page } = visitor;
  await openUpload(page);
  await chooseFile(page, 'half.psbt', signed.subarray(0, signed.length >> 1));
  const alert = page.getByRole('alert');
  await alert.waitFor();
  const reason = (await alert.innerText()).replace(COULD_NOT_PARSE, '').replace('Click or drag a new file to try again.', '');
  expect(reason.trim()).not.toBe('');
});

test('an unsigned file is made into one to sign, and refused by the server as it is', async () => {
  const { page } = visitor;
  await openUpload(page);
  await useSample(page, 'The self-transfer, not signed');
  await page.getByText('Drop the signed file here').waitFor();
  expect(await proveButton(page).count()).toBe(0);
  const sample = (await samplesOf(page)).find(({ id }) => id === 'unsigned');
  expect((await sendProof(page, sample?.psbt_base64 ?? '')).status).toBe('error');
  await expectNothingProven();
});

test('a flipped signature is seen here, and refused by the server, which names the input', async () => {
  const { page } = visitor;
  const forged = Buffer.from(signed);
  // PSBT_IN_FINAL_SCRIPTWITNESS (BIP-0174) of the Taproot input: 0x42 bytes, one item of 0x40.
  const at = forged.indexOf(Buffer.from('0108420140', 'hex'));
  expect(at).toBeGreaterThan(0);
  forged[at + 20]! ^= 1;
  await openUpload(page);
  await chooseFile(page, 'forged.psbt', forged);
  await page.getByRole('heading', { name: 'A signature is not valid' }).waitFor();
  // The page finds this before anything is sent, and says what to do.
  const advice = page.getByRole('status').filter({ hasText: '1 of 2 signatures is not valid' });
  await advice.waitFor();
  expect(await advice.innerText()).toMatch(/Input 2: .* Sign it again in the wallet that holds bcrt1/);
  await page.getByText('A signature of this file is not valid.').waitFor();
  expect(await proveButton(page).count()).toBe(0);
  const answer = await sendProof(page, forged.toString('base64'));
  expect(answer.status).toBe('error');
  expect(answer.message).toContain('Input 2');
  await expectNothingProven();
});

/** No bad file changed anything. */
async function expectNothingProven(): Promise<void> {
  const { page } = visitor;
  const { id } = (await sessionOf(page)).user;
  expect(await askApi(page, `/api/rest/v1/psbts?user_id=eq.${id}`)).toEqual([]);
  expect(await askApi(page, `/api/functions/v1/getUserRank/${id}`)).toEqual({ rank: null });
}
