// A real browser on the page that checks proofs: run by tests/it/verify_page.rs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const { SITE_ORIGIN, ESPLORA, SILENT, PROOF, STILL, LOCKED, FORGED, COINS, CHROMIUM_PATH } = process.env;
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'];

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: FLAGS });
});
after(() => browser?.close());

/** What the page may keep in the browser. */
const ITS_OWN = ['theme', 'verify-source', 'board-log', 'account'];

/** A visitor who is signed in elsewhere on the site, watched for the session data that the page reads and sends. */
async function visitor(origin = SITE_ORIGIN) {
  const context = await browser.newContext({ baseURL: origin, locale: 'en-US' });
  await context.addCookies([{ name: 'session-of-the-app', value: 'secret', url: origin }]);
  await context.addInitScript(() => {
    window.readKeys = [];
    for (const method of ['getItem', 'setItem']) {
      const original = Storage.prototype[method];
      Storage.prototype[method] = function watched(key, ...more) {
        window.readKeys.push(key);
        return original.call(this, key, ...more);
      };
    }
    Object.defineProperty(Document.prototype, 'cookie', { get: () => window.readKeys.push('cookie') && '' });
  });
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|CORS policy/.test(message.text())) faults.push(message.text());
  });
  page.on('request', async (request) => {
    const { origin: asked, pathname } = new URL(request.url());
    const headers = await request.allHeaders().catch(() => ({}));
    if (headers.authorization) faults.push(`a token goes to ${asked}`);
    // Browsers send cookies with requests for a page's files.
    if (headers.cookie && (asked !== origin || pathname.startsWith('/api'))) faults.push(`a cookie goes to ${request.url()}`);
  });
  const done = async () => {
    const keys = await page.evaluate(() => window.readKeys);
    await context.close();
    assert.deepEqual(keys.filter((key) => !ITS_OWN.includes(key)), []);
    assert.deepEqual(faults, []);
  };
  return { page, done };
}

/** On loopback a source of the board's own host is offered; these tests have their own. */
async function askChain(page, source) {
  await page.getByLabel('Block explorer').selectOption('Your own Esplora server');
  await page.getByLabel('Address', { exact: true }).fill(source);
  await page.getByRole('button', { name: /^(Check the coins|Continue)$/ }).click();
}

/** Opens what is folded below this title. */
const unfold = (page, title) => page.locator('summary', { hasText: title }).click();

const verdict = (page, title) => page.getByRole('status').filter({ hasText: title }).waitFor();

test(`a message over ${COINS} coins is right, with a source of one's own`, async () => {
  const { page, done } = await visitor();
  await page.goto(`/verify/${PROOF}`);
  assert.equal(await page.title(), 'Check a proof · Proof of Reserves');
  await verdict(page, '6 of 7 checks passed in your browser');
  const start = performance.now();
  await askChain(page, ESPLORA);
  await verdict(page, 'This proof is right');
  const seconds = (performance.now() - start) / 1000;
  console.log(`${COINS} coins were looked up in ${seconds.toFixed(2)} s`);
  assert.ok(seconds < 10, `${seconds} s`);
  await page.getByText(`in ${COINS} coins. The coins were unspent at block`).waitFor();
  await done();
});

for (const [kind, id] of [
  ['a still transaction', STILL],
  ['a coin that its script locks for some blocks', LOCKED],
]) {
  test(`so is ${kind}`, async () => {
    const { page, done } = await visitor();
    await page.goto(`/verify/${id}`);
    await askChain(page, ESPLORA);
    await verdict(page, 'This proof is right');
    await done();
  });
}

const NOBODY = 'Somebody signed this line. Nobody says that this person did.';

const bring = (page, proof) =>
  page.getByLabel(/^Choose or drop a proof/).setInputFiles({ name: 'proof.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(proof)) });

test('a file is believed about its person only when the board says the same', async () => {
  const forged = JSON.parse(FORGED);
  const proof = await (await fetch(`${SITE_ORIGIN}/api/functions/v1/proofs/${PROOF}`)).json();
  const { page, done } = await visitor();
  await page.goto('/verify');
  // With an id that the board knows, and with one that it does not.
  for (const id of [forged.id, '0190a0b0-0000-7000-8000-000000000000']) {
    await bring(page, { ...forged, id });
    await verdict(page, NOBODY);
    await askChain(page, ESPLORA);
    await unfold(page, 'What was checked');
    await page.getByText(/^Right\. All 1, at block/).waitFor();
    await verdict(page, NOBODY);
    const main = page.getByRole('main');
    assert.equal(await main.getByText(/2009|2100|Counts on the board|Shown as/).count(), 0);
    assert.equal(await main.getByRole('link').count(), 0);
    await page.reload();
  }
  // With an id that would lead elsewhere, or without one, it is no proof file.
  for (const id of [`../proofs/${PROOF}`, undefined]) {
    await bring(page, { ...forged, id });
    await page.getByRole('alert').filter({ hasText: 'This is not a proof file.' }).waitFor();
    assert.equal(await page.getByText('@famous').count(), 0);
    await page.reload();
  }
  await bring(page, proof);
  await unfold(page, 'Who signed');
  await page.getByText('Shown as').first().waitFor();
  await askChain(page, ESPLORA);
  await verdict(page, 'This proof is right');
  await done();
});

test('a downloaded proof is checked offline as far as its signatures, and a changed one is false', async () => {
  const proof = await (await fetch(`${SITE_ORIGIN}/api/functions/v1/proofs/${PROOF}`)).json();
  const { page, done } = await visitor();
  await page.goto('/verify');
  // Before a file is chosen.
  await page.getByText('Works offline').waitFor();
  await page.context().setOffline(true);
  const at = proof.transaction.length - 60;
  await bring(page, { ...proof, transaction: proof.transaction.slice(0, at) + (proof.transaction[at] === '0' ? '1' : '0') + proof.transaction.slice(at + 1) });
  await verdict(page, 'This proof is false');
  await bring(page, proof);
  await verdict(page, NOBODY);
  await page.getByText('This board did not answer.').first().waitFor();
  await unfold(page, 'What was checked');
  await page.getByText(`The signatures of all ${proof.inputs.length} inputs are valid.`).waitFor();
  await page.context().setOffline(false);
  await done();
});

test('on a board at another address the same proof is false', async () => {
  const { page, done } = await visitor(SITE_ORIGIN.replace('127.0.0.1', 'localhost'));
  await page.goto(`/verify/${PROOF}`);
  await verdict(page, 'This proof is false');
  await page.getByText(`It was made for ${SITE_ORIGIN}, not for`).first().waitFor();
  await done();
});

test('what blocks a source is named', async () => {
  const { page, done } = await visitor();
  await page.goto(`/verify/${PROOF}`);
  const { origin } = new URL(SILENT);
  for (const [source, words] of [
    ['http://192.0.2.1:3000', 'http://localhost or http://127.0.0.1'],
    ['http://127.0.0.1:9', 'No answer from 127.0.0.1:9'],
    // A node's port responds, but allows no other origins (CORS).
    [origin, 'Access-Control-Allow-Origin'],
  ]) {
    await askChain(page, source);
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
    await verdict(page, '6 of 7 checks passed in your browser');
  }
  await done();
});

test('an id that was never published gets a message', async () => {
  const { page, done } = await visitor();
  const answer = await page.goto('/verify/0190a0b0-0000-7000-8000-000000000000');
  assert.equal(answer.status(), 404);
  await page.getByText('No such proof', { exact: true }).waitFor();
  await done();
});
