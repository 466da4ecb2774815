import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { chainFor } from '../src/lib/chains';
import { coinsOf, type PublishedProof } from '../src/features/verify/proof';
import { askApi, launch, newVisitor, resize, sendSample, sessionOf, signIn } from './browser';
import { check, look, overflowOf, type Screen } from './look';
import { named } from './rows';

/** Names that have not the form of others. */
const ODD: Record<string, string> = {
  long: `${'an_unusually_long_name_'.repeat(4)}of_somebody`,
  wide: 'W'.repeat(39),
  rtl: 'שלום ‮עולם‬ 👩‍👩‍👧‍👦 مرحبا',
  none: ' ',
};

let browser: Browser;
let holder = '';
let published: PublishedProof;
beforeAll(async () => {
  browser = await launch();
  const { context, page } = await newVisitor(browser);
  await signIn(page);
  await sendSample(page, 'A signed self-transfer', true);
  // Other journeys have published proofs as well.
  const { user } = await sessionOf(page);
  const { proofs } = await askApi<{ proofs: { id: string; username: string }[] }>(page, `/api/functions/v1/proofs?profile_id=${user.id}`);
  holder = proofs[0]?.username ?? '';
  published = await askApi<PublishedProof>(page, `/api/functions/v1/proofs/${proofs[0]?.id}`);
  await context.close();
});
afterAll(() => browser?.close());

/** The development chain's source at our own address, which /verify preselects, on which the coins of the proof are unspent and worth so much more than it says. */
async function serveChain(page: Page, more: number): Promise<void> {
  const coins = coinsOf(published);
  await page.route('**/development/esplora/**', (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path.endsWith('/blocks/tip/height')) return route.fulfill({ body: '900000' });
    if (path.endsWith('/block-height/0')) return route.fulfill({ body: chainFor(published)?.genesis ?? '' });
    // Not every server has the request for all outputs at once.
    if (path.endsWith('/outspends')) return route.fulfill({ status: 404 });
    if (path.includes('/outspend/')) return route.fulfill({ json: { spent: false } });
    const own = coins.filter(({ txid }) => path.endsWith(`/tx/${txid}`));
    const vout = Array.from({ length: 1 + Math.max(...own.map((coin) => coin.vout)) }, () => ({ scriptpubkey: '6a', value: 0 }));
    for (const coin of own) vout[coin.vout] = { scriptpubkey: coin.script_pubkey, value: coin.value_sats + more };
    return route.fulfill({ json: { vout, status: { confirmed: true, block_height: 800_000 } } });
  });
}

const asked = (more: number) => async (page: Page) => {
  await serveChain(page, more);
  await page.goto(`/verify/${published.id}`);
  await page.getByRole('button', { name: 'Check the coins' }).click();
};

/** A file that differs from what the board says, with a note by a key that is not the board's. */
const stranger = async (page: Page) => {
  await page.goto('/verify');
  const buffer = Buffer.from(JSON.stringify({ ...published, id: '00000000-0000-4000-8000-000000000000', note: published.note.replace(/(\/log )./, '$1A') }));
  await page.getByLabel('Choose or drop a proof or a receipt').setInputFiles({ name: 'proof.json', mimeType: 'application/json', buffer });
};

const fixture = (name: string) => join(import.meta.dirname, '../src/lib/board-log/fixture', name);

const receipt = (key: string) => async (page: Page) => {
  await page.goto('/verify');
  await page.getByLabel('Choose or drop a proof or a receipt').setInputFiles(fixture('row.tlog-proof'));
  await page.getByLabel('A key of the log').fill(key);
  await page.getByRole('button', { name: 'Check with This Key' }).click();
};

/** A key of another board. */
const STRANGER = '127.0.0.1:8471/log+a4040ce1+AcxFch7o2vyTkYa6urkqm/OTSRKlH3uO3d4fntQ5Dcy4';

const said = (text: string) => (page: Page) => page.getByText(text, { exact: true }).waitFor();

const SHARED: Screen[] = [
  { name: 'embed', open: (page) => page.goto(`/embed?u=${holder}`), ready: said('2.25') },
  { name: 'embed-nobody', open: (page) => page.goto(`/embed?u=${ODD.wide}`), ready: said(`There’s no "${ODD.wide}" on the leaderboard.`) },
  { name: 'verify-right', open: asked(0), ready: said('This proof is right') },
  { name: 'verify-false', open: asked(1), ready: said('This proof is false') },
  { name: 'verify-nobody', open: stranger, ready: said('Somebody signed this line. Nobody says that this person did.') },
  { name: 'verify-receipt', open: receipt(readFileSync(fixture('key.txt'), 'utf8').trim()), ready: said('This receipt is right') },
  { name: 'verify-receipt-unknown', open: receipt(STRANGER), ready: (page) => page.getByText('The receipt is not signed with a key that this browser trusts.').waitFor() },
];

/** The page of a row, as the server writes it, with this name and the most that there can be. */
async function odd(page: Page, name: string): Promise<void> {
  await page.route('**/embed?*', async (route) => {
    const response = await route.fetch();
    const body = (await response.text())
      .replace(/(<bdi class="name">)[^<]*/, `$1${name}`)
      .replace(/<strong>[^<]*/, '<strong>20,999,999.9769')
      .replace(/(<span class="rank">)[^<]*/, '$1#1,234,567');
    await route.fulfill({ response, body });
  });
  await page.goto(`/embed?u=${holder}`);
}

async function openProfile(page: Page, name: string): Promise<void> {
  await named(name, 'google')(page);
  await page.getByRole('link', { name: 'Share rank on X' }).waitFor();
}

/** The proof and the list of proofs, under another name. */
async function rename(page: Page, username: string): Promise<void> {
  await page.route('**/api/functions/v1/proofs/*', (route) => route.fulfill({ json: { ...published, profile: { ...published.profile, username, provider: 'google' } } }));
  const row = { id: published.id, username, provider: 'google', named: true, amount_sats: 225_000_000, published_at: published.published_at };
  await page.route('**/api/functions/v1/proofs?*', (route) => route.fulfill({ json: { proofs: [row], next: null } }));
}

test('what visitors see of a holder', { timeout: 300_000 }, async () => {
  const visitor = await newVisitor(browser);
  const { page } = visitor;
  for (const screen of SHARED) await check(visitor, screen);
  await signIn(page);
  await openProfile(page, ODD.long ?? '');
  await look(visitor, { name: 'profile-of-another', ready: () => page.getByRole('link', { name: 'Share rank on X' }).waitFor() });
  expect(visitor.complaints).toEqual([]);
  await visitor.context.close();
});

test('nothing of it is wider than its place, whatever the name is', async () => {
  const { page, context } = await newVisitor(browser);
  await signIn(page);
  for (const [kind, name] of Object.entries(ODD)) {
    const looks = async (what: string, over: () => Promise<number>) => {
      for (const width of [320, 1440]) {
        await resize(page, width);
        expect(await over(), `${what}, ${kind}, ${width} px wide`).toBeLessThanOrEqual(0);
      }
    };
    await odd(page, name);
    await looks('/embed', () => overflowOf(page));
    await openProfile(page, name);
    await looks('profile', () => overflowOf(page));
    await rename(page, name);
    await page.goto(`/verify/${published.id}`);
    await page.getByText('What was checked').waitFor();
    await looks('/verify', () => overflowOf(page));
    await page.goto(`/verify?profile=${published.profile.id}`);
    await page.getByRole('link', { name: '2.25000000 BTC' }).waitFor();
    await looks('/verify of a person', () => overflowOf(page));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  await context.close();
});

test('a row fits the frame that is copied for it, whatever the name is', async () => {
  const { context, page } = await newVisitor(browser);
  await page.setViewportSize({ width: 380, height: 120 });
  for (const [kind, name] of Object.entries(ODD)) {
    await odd(page, name);
    const over = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);
    expect(over, kind).toEqual([0, 0]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  await context.close();
});
