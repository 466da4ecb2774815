// A real browser and the wallets of a real node on the page that proves to one reader: run by tests/it/verify_page.rs.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createECDH, createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const { SITE_ORIGIN, ESPLORA, NODE, CLI, CHROMIUM_PATH } = process.env;
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'];
const FOLDER = process.env.ARTIFACTS ?? mkdtempSync(join(tmpdir(), 'prove-'));

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: FLAGS });
  await rpc('', 'loadwallet', ['miner']).catch(() => {});
});
after(() => browser?.close());

/** A call to the node, or to one of its wallets. */
async function rpc(wallet, method, params = []) {
  const { origin, username, password } = new URL(NODE);
  const answer = await fetch(`${origin}/${wallet && `wallet/${wallet}`}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}` },
    body: JSON.stringify({ jsonrpc: '1.0', id: 0, method, params }),
  });
  const { result, error } = await answer.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

const name = (start) => `${start}-${randomBytes(4).toString('hex')}`;

/** Mines a block with all waiting transactions; no other test mines on this node. */
const mine = async (blocks = 1) => rpc('', 'generatetoaddress', [blocks, await rpc('miner', 'getnewaddress')]);

/** A wallet with a coin for each of these kinds of addresses. */
async function fundedWallet(kinds) {
  const wallet = name('prove');
  await rpc('', 'createwallet', [wallet]);
  for (const kind of kinds) await rpc('miner', 'sendtoaddress', [await rpc(wallet, 'getnewaddress', ['', kind]), 0.5]);
  await mine();
  return wallet;
}

/** An ordinary transfer to oneself, not signed. */
async function coinsOf(wallet) {
  const [all, address] = [await rpc(wallet, 'listunspent'), await rpc(wallet, 'getnewaddress')];
  const inputs = all.map(({ txid, vout }) => ({ txid, vout }));
  const total = all.reduce((sum, { amount }) => sum + Math.round(amount * 1e8), 0);
  const { psbt } = await rpc(wallet, 'walletcreatefundedpsbt', [inputs, [{ [address]: total / 1e8 }], 0, { subtractFeeFromOutputs: [0], add_inputs: false }]);
  return psbt;
}

/** Bitcoin Core writes what is signed in full as final. */
const sign = async (wallet, psbt) => (await rpc(wallet, 'walletprocesspsbt', [psbt, true, 'DEFAULT', true, true])).psbt;

/** A visitor, watched for what the page sends and keeps. */
async function visitor(options = {}) {
  const context = await browser.newContext({ baseURL: SITE_ORIGIN, locale: 'en-US', acceptDownloads: true, ...options });
  await context.addCookies([{ name: 'session-of-the-app', value: 'secret', url: SITE_ORIGIN }]);
  await context.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'cookie', { get: () => window.cookieRead?.() ?? '', set: () => window.cookieRead?.() });
  });
  const faults = [];
  await context.exposeFunction('cookieRead', () => void faults.push('a cookie was read or written'));
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  const asked = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!url.protocol.startsWith('http')) return;
    asked.push(url.href);
    if (url.href.includes('for=') || /acme|mira/i.test(url.href.replace(/#.*/, ''))) faults.push(`words go to ${url.href}`);
    if (url.origin === SITE_ORIGIN && /^\/(?:api|log)\b/.test(url.pathname)) faults.push(`the board is asked: ${url.pathname}`);
    if (![SITE_ORIGIN, new URL(ESPLORA).origin].includes(url.origin)) faults.push(`another host is asked: ${url.href}`);
    if (request.method() !== 'GET') faults.push(`${request.method()} ${url.href}`);
  });
  const done = async () => {
    const kept = await page.evaluate(() => Object.keys(localStorage).concat(Object.keys(sessionStorage)));
    await context.close();
    assert.deepEqual(kept.filter((key) => !['theme', 'verify-source', 'wallet', 'proof-for-reader'].includes(key)), []);
    assert.deepEqual(faults, []);
  };
  return { context, page, asked, done };
}

const bring = (page, psbt, file = 'coins.psbt') => page.getByLabel('PSBT file').setInputFiles({ name: file, mimeType: 'application/octet-stream', buffer: Buffer.from(psbt, 'base64') });

const heading = (page, text) => page.getByRole('heading', { name: text, exact: true }).waitFor();

/** What a button downloads. */
async function downloadOf(page, label) {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: label }).click();
  const download = await waiting;
  const path = join(FOLDER, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

/** Chooses the source of these tests. */
async function chooseSource(page) {
  const choice = page.getByLabel('Block explorer');
  if (await choice.count()) await choice.selectOption('Your own Esplora server');
  await page.getByLabel('Address', { exact: true }).fill(ESPLORA);
}

async function begin(page, holder = 'Mira Kowal') {
  await page.getByLabel('Your name, as the reader knows you').fill(holder);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await heading(page, 'Bring a file with your coins');
}

/** Walks from the first step to the report; returns the path of the proof file. */
async function prove(page, wallet) {
  await bring(page, await coinsOf(wallet));
  await page.getByRole('heading', { name: /^Sign [\d.]+ BTC in your wallet$/ }).waitFor();
  const toSign = readFileSync(await downloadOf(page, 'Save the file to sign')).toString('base64');
  await bring(page, await sign(wallet, toSign), 'signed.psbt');
  await page.getByText('Your proof is signed, and every signature is valid').waitFor();
  return downloadOf(page, 'Download the proof file');
}

/** The request and the link that a reader makes. */
async function ask(page, about) {
  await page.goto('/prove/ask');
  await page.getByLabel('Who are you, and what is it about?').fill(about);
  await page.getByRole('button', { name: 'Make the request' }).click();
  const made = page.getByRole('region', { name: 'Your request' }).locator('p.font-mono');
  const [words, link] = [await made.nth(0).textContent(), await made.nth(1).textContent()];
  return { words, link };
}

/** Opens a file on /verify. */
async function open(page, file) {
  await page.goto('/verify');
  await page.getByLabel(/^Choose or drop a proof/).setInputFiles(file);
  await page.getByText('Is this proof for you?').waitFor();
}

const verdict = (page, title) => page.getByRole('status').filter({ hasText: title }).waitFor();

async function compare(page, words) {
  await page.getByLabel('Your request', { exact: true }).fill(words);
  await page.getByRole('button', { name: 'Compare' }).click();
}

/** Asks about an instant, in UTC. */
async function askAt(page, seconds) {
  const [day, time] = new Date(seconds * 1000).toISOString().slice(0, 19).split('T');
  await page.getByRole('button', { name: 'As of a date' }).click();
  await page.getByLabel('Day').fill(day);
  await page.getByLabel(/^Time,/).fill(time);
  await page.getByRole('button', { name: 'Check again' }).click();
  // Without a zone nobody is asked.
  await page.getByRole('alert').filter({ hasText: 'Choose the time zone' }).waitFor();
  await page.getByLabel('Time zone').selectOption('UTC');
  await page.getByRole('button', { name: 'Check again' }).click();
  return `${day}T${time}Z`;
}

const verify = (file, ...args) =>
  promisify(execFile)(process.execPath, [CLI, 'verify', file, ...args]).then(
    ({ stdout }) => ({ status: 0, said: stdout }),
    ({ code, stdout, stderr }) => ({ status: code, said: stdout + stderr }),
  );

test('from a reader’s request to a file that the reader checks, with the wallet of a node', async () => {
  const wallet = await fundedWallet(['legacy', 'p2sh-segwit', 'bech32', 'bech32m']);
  await mine(6);
  const { page, asked, done } = await visitor();
  const { words, link } = await ask(page, 'Acme Bank,  loan 4711');
  assert.match(words, /^Acme Bank, loan 4711 [a-z2-9]{10}$/);
  assert.equal(link, `${SITE_ORIGIN}/prove#for=${encodeURIComponent(words)}`);

  await page.goto('about:blank');
  await page.goto(link);
  assert.equal(await page.title(), 'Private proof · Proof of Reserves');
  assert.equal(await page.getByLabel('The request').inputValue(), words);
  assert.equal(await page.getByRole('button', { name: 'Continue' }).isDisabled(), true);
  await chooseSource(page);
  await begin(page);
  const file = await prove(page, wallet);

  // The report before and after the look-up.
  const report = page.getByRole('article', { name: 'Report' });
  await report.getByText('stated, not checked with the chain').waitFor();
  await page.getByRole('button', { name: 'Check the coins' }).click();
  await report.getByText(/^[-\d]{10} [:\d]{8} UTC, at block [,\d]+, by 127\.0\.0\.1/).waitFor();
  const text = await report.innerText();
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  for (const part of [words, 'says they are “Mira Kowal”', '2.00000000 BTC', '4 coins, all signed for', sha256, 'Test coins (regtest): they are worth nothing.', 'The same coins may be shown to others']) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  assert.equal(text.split('This paper proves nothing: open the file at a checker you chose yourself.').length, 3);
  assert.doesNotMatch(text, /\bowns\b|https?:/i);
  assert.equal(await report.getByRole('link').count(), 0);
  const pdf = await page.pdf({ path: join(FOLDER, 'report.pdf'), preferCSSPageSize: true, printBackground: true });
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g).length;
  assert.ok(pages >= 1 && pages <= 3, `${pages} pages`);
  assert.ok(asked.length > 0);

  // The reader's part.
  await open(page, file);
  await page.locator('summary', { hasText: 'The file' }).click();
  await page.getByText(sha256).waitFor();
  await chooseSource(page);
  await page.getByRole('button', { name: 'Check the coins' }).click();
  await page.getByText(/4 of 4 coins unspent at block/).waitFor();
  assert.equal(await page.getByText('This proof is for you, and it is right').count(), 0);
  await compare(page, words.replace('A', '\u0410'));
  await verdict(page, 'This proof is not for you');
  await page.getByText('(U+0041) where you have').waitFor();
  await compare(page, ` ${words.replaceAll(' ', '  ')} `);
  await verdict(page, 'This proof is for you, and it is right');

  assert.equal((await verify(file, '--esplora', ESPLORA)).status, 2);
  assert.equal((await verify(file, '--request', `${words}x`)).status, 1);
  const { status, said } = await verify(file, '--request', words, '--esplora', ESPLORA);
  assert.equal(status, 0, said);
  assert.match(said, /The request is the same as yours\.[^]*Signed after block \d+/);

  // At a date, with the report that the reader files.
  await mine(30);
  const past = await rpc('', 'getblockheader', [await rpc('', 'getblockhash', [(await rpc('', 'getblockcount')) - 20])]);
  const at = await askAt(page, past.mediantime);
  await verdict(page, /At least 2\.00000000 BTC in 4 coins stood at/);
  await verdict(page, 'This proof is for you, and it is right');
  await page.getByRole('button', { name: 'Make the report' }).click();
  await report.getByText('The coins of the sum were in the chain at the date').waitFor();
  const filed = await report.innerText();
  assert.match(filed, /At least\s+2\.00000000 BTC/);
  for (const part of [`--at ${at}`, 'reserves-audit proof', sha256]) assert.ok(filed.includes(part), `${part} in ${filed}`);
  const paper = await page.pdf({ path: join(FOLDER, 'filed.pdf'), preferCSSPageSize: true, printBackground: true });
  assert.ok(paper.toString('latin1').match(/\/Type\s*\/Page\b/g).length <= 3);
  const dated = await verify(file, '--request', words, '--esplora', ESPLORA, '--at', at);
  assert.equal(dated.status, 0, dated.said);
  await page.getByRole('button', { name: 'As of today instead' }).click();

  // A coin moves a minute later.
  await rpc(wallet, 'sendtoaddress', [await rpc('miner', 'getnewaddress'), 0.1]);
  await mine();
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByText(/3 of 4 coins unspent at block/).waitFor();
  assert.equal(await page.getByText('This proof is for you, and it is right').count(), 0);
  assert.equal((await verify(file, '--request', words, '--esplora', ESPLORA)).status, 1);
  await done();
});

test('it works offline once it is loaded, with a block that was pasted', async () => {
  const wallet = await fundedWallet(['bech32']);
  await mine(6);
  const { context, page, asked, done } = await visitor();
  await page.goto('/prove');
  await page.getByText('Works offline.').waitFor();
  await page.waitForFunction(() => !document.querySelector('p.invisible'));
  await context.setOffline(true);
  const before = asked.length;
  await page.getByLabel('The request').fill('Acme Bank, loan 4711 k3v9q2');
  await page.getByRole('button', { name: 'Offline? Paste a block header instead' }).click();
  const height = (await rpc('', 'getblockcount')) - 6;
  const header = await rpc('', 'getblockheader', [await rpc('', 'getblockhash', [height]), false]);
  await page.getByLabel('Block header').fill(header);
  await page.getByLabel('Height of the block').fill(String(height));
  await page.getByLabel('Network').selectOption('regtest');
  await begin(page);
  await page.getByRole('button', { name: 'Scan QR codes' }).waitFor();
  const file = await prove(page, wallet);
  await page.getByRole('article', { name: 'Report' }).getByText('The block was pasted and not checked.').waitFor();
  // Cached files of the page cause no requests.
  assert.deepEqual(asked.slice(before).filter((address) => !address.startsWith(`${SITE_ORIGIN}/assets/`)), []);
  await context.setOffline(false);
  assert.equal((await verify(file, '--request', 'Acme Bank, loan 4711 k3v9q2', '--esplora', ESPLORA)).status, 0);
  await done();
});

/** A key as a descriptor takes it, and its public half. */
function newKey() {
  const ecdh = createECDH('secp256k1');
  ecdh.generateKeys();
  const secret = Buffer.concat([Buffer.of(0xef), Buffer.alloc(32 - ecdh.getPrivateKey().length), ecdh.getPrivateKey(), Buffer.of(1)]);
  return { wif: base58Check(secret), key: ecdh.getPublicKey('hex', 'compressed') };
}

function base58Check(bytes) {
  const sha256 = (data) => createHash('sha256').update(data).digest();
  const whole = Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)]);
  let text = '';
  for (let number = BigInt(`0x${whole.toString('hex')}`); number > 0n; number /= 58n) text = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'[Number(number % 58n)] + text;
  return text;
}

/** A wallet with one descriptor. */
async function descriptorWallet(descriptor) {
  const wallet = name('cosigner');
  await rpc('', 'createwallet', [wallet, false, true]);
  const { checksum } = await rpc('', 'getdescriptorinfo', [descriptor]);
  const [{ success, error }] = await rpc(wallet, 'importdescriptors', [[{ desc: `${descriptor}#${checksum}`, timestamp: 'now' }]]);
  assert.ok(success, error?.message);
  return wallet;
}

test('cosigners sign one file each, as a message, and the holder decides whether the reader sees every key', async () => {
  const keys = [newKey(), newKey(), newKey()];
  const walletOf = (own) => descriptorWallet(`wsh(multi(2,${keys.map((one) => (one === own ? one.wif : one.key)).join()}))`);
  const wallets = [await walletOf(keys[0]), await walletOf(keys[1]), await walletOf(keys[2])];
  const { descriptor } = await rpc('', 'getdescriptorinfo', [`wsh(multi(2,${keys.map(({ key }) => key).join()}))`]);
  const [address] = await rpc('', 'deriveaddresses', [descriptor]);
  await rpc('miner', 'sendtoaddress', [address, 1]);
  await mine(7);
  const { page, done } = await visitor();
  await page.goto('/prove');
  await page.getByLabel('The request').fill('Acme Bank, loan 4711 k3v9q2');
  await chooseSource(page);
  await begin(page);
  const [coin] = await rpc(wallets[0], 'listunspent');
  const transfer = await rpc(wallets[0], 'createpsbt', [[{ txid: coin.txid, vout: coin.vout }], [{ [address]: coin.amount }]]);
  const { psbt } = await rpc(wallets[0], 'walletprocesspsbt', [transfer, false]);
  await bring(page, psbt);
  await page.getByLabel('My wallet is').selectOption('bitcoin-core');
  await page.getByText('a message is no transaction').waitFor();
  const toSign = readFileSync(await downloadOf(page, 'Save the file to sign')).toString('base64');
  const parts = await Promise.all(wallets.map((wallet) => sign(wallet, toSign)));
  await bring(page, parts[0], 'first.psbt');
  await heading(page, 'More signatures are needed');
  await bring(page, parts[1], 'second.psbt');
  await page.getByText('Your proof is signed, and every signature is valid').waitFor();
  const file = await downloadOf(page, 'Download the proof file');
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).binding, 'message');
  const { status, said } = await verify(file, '--request', 'Acme Bank, loan 4711 k3v9q2', '--esplora', ESPLORA);
  assert.equal(status, 0, said);

  // The third key signed as well. It is in the file only when the holder says so.
  await page.getByText('Keys 1 and 2 of 3 signed; 2 are needed.').first().waitFor();
  await bring(page, parts[2], 'third.psbt');
  const choice = page.getByRole('checkbox', { name: 'Put every signature into the file' });
  await choice.waitFor();
  const without = JSON.parse(readFileSync(await downloadOf(page, 'Download the proof file'), 'utf8'));
  assert.equal(without.further_signatures, undefined);
  await choice.check();
  await page.getByText('Keys 1, 2 and 3 of 3 signed; 2 are needed.').first().waitFor();
  const whole = await downloadOf(page, 'Download the proof file');
  // One for the coin, and one for the virtual input that a message begins with.
  assert.equal(JSON.parse(readFileSync(whole, 'utf8')).further_signatures.length, 2);
  assert.equal((await verify(whole, '--request', 'Acme Bank, loan 4711 k3v9q2', '--esplora', ESPLORA)).status, 0);
  await done();
});

test('what was begun goes on after the page was closed, and a file for another request is not taken', async () => {
  const wallet = await fundedWallet(['bech32m']);
  await mine(6);
  const { page, done } = await visitor();
  await page.goto('/prove');
  await page.getByLabel('The request').fill('Acme Bank, loan 4711 k3v9q2');
  await chooseSource(page);
  await begin(page);
  await bring(page, await coinsOf(wallet));
  const toSign = readFileSync(await downloadOf(page, 'Save the file to sign')).toString('base64');
  await page.goto('/prove');
  await heading(page, 'Bring a file with your coins');
  const signed = await sign(wallet, toSign);
  await bring(page, signed, 'signed.psbt');
  await page.getByText('Your proof is signed, and every signature is valid').waitFor();
  // For another reader's request, the signed file only shows which coins there are.
  await page.goto('/prove#for=Other%20Bank%20zzzz');
  await page.reload();
  await page.getByText('You have begun another proof').waitFor();
  await begin(page);
  await bring(page, signed, 'signed.psbt');
  await page.getByText('This file is not your proof for this reader').waitFor();
  await page.getByRole('heading', { name: /^Sign [\d.]+ BTC in your wallet$/ }).waitFor();
  await page.getByRole('button', { name: 'Start over' }).click();
  await heading(page, 'Who will read your proof?');
  await done();
});

test('words with hidden characters and seed phrases are refused', async () => {
  const { page, done } = await visitor();
  await page.goto('/prove');
  await chooseSource(page);
  await page.getByRole('checkbox').check();
  await page.getByLabel('Your name, as the reader knows you').fill('Mira');
  const words = page.getByLabel('The request');
  const alert = (text) => page.getByRole('alert').filter({ hasText: text }).waitFor();
  await words.fill('Acme\u200b Bank');
  await page.getByRole('button', { name: 'Continue' }).click();
  await alert('a character that nobody can see');
  await words.fill('abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about');
  await alert('Never paste this anywhere');
  assert.equal(await words.inputValue(), '');
  assert.equal(await page.getByRole('button', { name: 'Continue' }).isDisabled(), true);
  await words.fill('\u0410cme Bank');
  await page.getByText('Letters that look alike').waitFor();
  await done();
});
