import { readFile } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from 'vite';
import type { Browser, Locator, Page } from 'playwright-core';
import { BASE_URL, launch, newVisitor } from './browser';
import { look } from './look';

/** Signed with the words below (psbt-wasm/tests/behavior/published). */
const PROOF = join(import.meta.dirname, '../../psbt-wasm/tests/node/fixtures/reader-transaction.json');
const WORDS = 'Acme Bank, loan 4711 k3v9q2';
/** With the same words, as a message. */
const SECOND = join(import.meta.dirname, '../../psbt-wasm/tests/node/fixtures/reader-message.json');
const FOLDER = 'some/where';
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.woff2': 'font/woff2' };

let browser: Browser;
let files = '';
let origin = '';
/** The requests that reached the host. */
const asked: string[] = [];
const host = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://host').pathname;
  asked.push(path);
  const inside = path.replace(`/${FOLDER}/`, '');
  const name = extname(inside) === '' ? join(inside, 'index.html') : inside;
  readFile(join(files, name)).then(
    (body) => response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'text/plain' }).end(body),
    () => response.writeHead(404).end(),
  );
});
beforeAll(async () => {
  browser = await launch();
  files = await mkdtemp(join(tmpdir(), 'static-'));
  const root = join(import.meta.dirname, '..');
  await build({ root, configFile: join(root, 'vite.static.config.ts'), mode: 'static', logLevel: 'error', build: { outDir: files, emptyOutDir: true } });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
afterAll(async () => {
  host.close();
  await browser?.close();
  await rm(files, { recursive: true, force: true });
});

/** The link that a reader gets for these words. */
async function linkFor(page: Page, about: string): Promise<string> {
  await page.getByLabel('Who are you, and what is it about?').fill(about);
  await page.getByRole('button', { name: 'Make the request' }).click();
  return (await page.getByRole('region', { name: 'Your request' }).locator('p.font-mono').nth(1).textContent()) ?? '';
}

test('the static build works from any folder of any host, and asks nobody but it', async () => {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('request', (request) => request.url().startsWith('http') && new URL(request.url()).origin !== origin && complaints.push(request.url()));

  await page.goto(`${origin}/${FOLDER}/prove/ask/`);
  const link = await linkFor(page, 'Acme Bank, loan 4711');
  expect(link).toMatch(new RegExp(`^${origin}/${FOLDER}/prove/#for=Acme%20Bank%2C%20loan%204711%20[a-z2-9]{10}$`));
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Private proof' }).click();
  await page.getByRole('heading', { name: 'Who will read your proof?' }).waitFor();
  await page.goto('about:blank');
  await page.goto(link);
  expect(await page.getByLabel('The request').inputValue()).toMatch(/^Acme Bank, loan 4711 /);

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Check' }).click();
  await page.getByLabel(/^Choose or drop/).setInputFiles(PROOF);
  await page.getByText('Is this proof for you?').waitFor();
  await page.getByLabel('Your request').fill(WORDS);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText('Same.', { exact: true }).waitFor();
  await page.getByText('What was checked').click();
  await page.getByText('The signatures of all 7 inputs are valid.').waitFor();
  expect(complaints).toEqual([]);
  expect(asked.filter((path) => !path.startsWith(`/${FOLDER}/`))).toEqual(asked.filter((path) => path === '/favicon.ico'));
  await context.close();
});

test('the first steps of a holder and of a reader', { timeout: 300_000 }, async () => {
  const visitor = await newVisitor(browser);
  const { page, complaints } = visitor;
  const shows = (name: string, complete: Locator) => look(visitor, { name, ready: () => complete.waitFor() });
  await page.goto('/prove/ask');
  const link = await linkFor(page, 'Acme Bank, loan 4711');
  await shows('prove-ask', page.getByRole('region', { name: 'Your request' }));
  expect(link).toContain(`${BASE_URL}/prove#for=`);
  await page.goto(link);
  await page.getByRole('button', { name: 'Offline? Paste a block header instead' }).click();
  await shows('prove', page.getByRole('heading', { name: 'Who will read your proof?' }));
  await page.goto('/verify');
  await page.getByText('Check a signed message').click();
  await page.getByLabel(/^Choose or drop/).setInputFiles(PROOF);
  await shows('verify-reader', page.getByText('Is this proof for you?'));
  await page.getByLabel('Your request').fill(`\u0410${WORDS.slice(1)}`);
  await page.getByRole('button', { name: 'Compare' }).click();
  await shows('verify-reader-other', page.getByText('This proof is not for you'));
  await page.getByLabel('Your request').fill(WORDS);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('button', { name: 'As of a date' }).click();
  await page.getByLabel('Day').fill('2026-12-31');
  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  await page.getByText('2026-12-31 24:00 UTC+01:00.').waitFor();
  await page.getByRole('button', { name: 'Make the report' }).click();
  await shows('verify-reader-report', page.getByRole('article', { name: 'Report' }));
  await page.getByLabel(/^Choose or drop/).setInputFiles(SECOND);
  await shows('verify-several', page.getByRole('heading', { name: '2 private proofs' }));
  await page.goto('/how-it-works/auditors');
  await page.getByRole('link', { name: 'Open the example' }).click();
  await shows('verify-example', page.getByText('Is this proof for you?'));
  expect(complaints).toEqual([]);
  await visitor.context.close();
});

/** BIP-0322, basic test vectors: the empty message. */
const SIGNED = {
  address: 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
  signature: 'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
};

test('a signed message is checked, and says nothing about coins', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await page.goto('/verify');
  await page.getByText('Check a signed message').click();
  await page.getByLabel('Bitcoin address').fill(SIGNED.address);
  await page.getByLabel('Signature').fill(SIGNED.signature);
  await page.getByRole('button', { name: 'Check the signature' }).click();
  await page.getByText('The signature is valid', { exact: true }).waitFor();
  await page.getByLabel('Message, letter by letter').fill('I hold 100 BTC');
  await page.getByRole('button', { name: 'Check the signature' }).click();
  await page.getByText('The signature is not valid').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
