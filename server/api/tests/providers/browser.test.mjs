// A real browser on the real pages signs in at X: run by tests/it/auth_js.rs.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const { SITE_ORIGIN, PROVIDER_ORIGIN, CONTROL, CHROMIUM_PATH } = process.env;
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'];

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: FLAGS });
});
after(() => browser?.close());

/** A person with their own browser, watched for requests to any host other than the site and the provider. */
async function visitor() {
  const context = await browser.newContext({ baseURL: SITE_ORIGIN, locale: 'en-US' });
  const page = await context.newPage();
  const strangers = [];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && ![SITE_ORIGIN, PROVIDER_ORIGIN].includes(origin)) strangers.push(origin);
  });
  return { context, page, strangers };
}

/** Signs in as far as the address that X sends a browser back to, which is not opened. */
async function answerOfTheProvider() {
  const challenge = createHash('sha256').update('a verifier of more than forty-three characters').digest('base64url');
  const begin = { provider: 'twitter', code_challenge: challenge, code_challenge_method: 's256' };
  const cookies = new Map();
  let address = `${SITE_ORIGIN}/api/auth/v1/authorize?${new URLSearchParams(begin)}`;
  while (!address.startsWith(`${SITE_ORIGIN}/api/auth/v1/callback/`)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie } });
    for (const header of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(header);
      cookies.set(name, value);
    }
    assert.ok(answer.headers.has('location'), `${answer.status} at ${address}`);
    address = new URL(answer.headers.get('location'), address).href;
  }
  return address;
}

async function sitAtTheBrowser(person) {
  const answer = await fetch(CONTROL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'twitter', person }),
  });
  assert.equal(answer.ok, true);
}

test('Continue with X leads to X and back, and the session outlives a reload', async () => {
  await sitAtTheBrowser({ id: '2244994945', name: 'Hal', username: 'hal' });
  const { context, page, strangers } = await visitor();
  const atX = page.waitForRequest((request) => request.url().startsWith(`${PROVIDER_ORIGIN}/i/oauth2/authorize?`));
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with X' }).click();
  const asked = new URL((await atX).url()).searchParams;
  assert.equal(asked.get('code_challenge_method'), 'S256');
  assert.equal((await atX).headers().referer, undefined, 'X does not learn which page it was');

  await page.waitForURL('**/choose-plan');
  await page.getByRole('button', { name: 'Continue with Basic' }).click();
  await page.waitForURL('**/leaderboard');
  await page.goto('/profile');
  await page.waitForURL(/\/profile\/[0-9a-f-]{36}$/);
  await page.getByText('@hal').first().waitFor();
  await page.reload();
  await page.getByText('No verification history yet').waitFor();

  const cookies = await context.cookies(SITE_ORIGIN);
  const session = cookies.find(({ name }) => name === 'por-refresh');
  assert.equal(session.httpOnly, true);
  assert.equal(session.sameSite, 'Lax');
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  assert.ok(!kept.includes(session.value), 'no script can reach the refresh token');

  await page.getByRole('button', { name: 'Profile' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await page.goto('/upload');
  await page.waitForURL('**/login');
  assert.deepEqual(strangers, []);
  await context.close();
});

test('a user who declines at X comes back to a page that says so', async () => {
  await sitAtTheBrowser(null);
  const { context, page } = await visitor();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with X' }).click();
  await page.waitForURL('**/auth/callback?**');
  await page.getByText('Authentication Error').first().waitFor();
  await page.getByText('Authentication error: access_denied - You did not agree to sign in with X.').first().waitFor();
  await page.getByRole('link', { name: 'Return to Login' }).or(page.getByRole('button', { name: 'Return to Login' })).click();
  await page.waitForURL('**/login');
  await context.close();
});

test('the redirect address of another user’s sign-in signs no one in', async () => {
  await sitAtTheBrowser({ id: '666', name: 'Mallory', username: 'mallory' });
  const lure = await answerOfTheProvider();
  const victim = await visitor();
  await victim.page.goto(lure);
  await victim.page.getByText('Authentication Error').first().waitFor();
  await victim.page.goto('/profile');
  await victim.page.waitForURL('**/login');
  assert.deepEqual(await victim.context.cookies(SITE_ORIGIN), []);
  await victim.context.close();
});
