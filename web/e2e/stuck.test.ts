import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page, Route } from 'playwright-core';
import { launch, newVisitor, resize, samplesOf, sendSample, signIn, type Visitor } from './browser';
import { overflowOf } from './look';
import { profileAnswer } from './rows';
import { chooseFile, openUpload } from './upload';

/**
 * States in which people get stuck. Each says what happened, and what to do. Others are driven elsewhere:
 *
 * - sign-in: no provider, X off, session over, account deleted and the page loaded again (account.test.ts, pages.test.tsx)
 * - board: list fails, nothing found, offline, updates paused, log denied (board.test.ts, history.test.ts, log-alarm.test.tsx)
 * - seed phrases and keys in any field (text-field.test.tsx, leaderboard-page.test.tsx, use-proof-file.test.tsx)
 * - files: extension, size, empty, truncated, foreign bytes, unsigned, flipped signature, other statement, other cosigner, too many coins, 0 sats
 *   (bad-files.test.ts, signatures.test.tsx, binding.test.ts, use-proof-file.test.tsx, submission.test.ts)
 * - a file of another network that does not say so: the server's sentence (upload-states.test.ts)
 * - sending: offline, no statement, stopped, conflict, refused, too often, no answer, same coins again (upload-states.test.ts, journey.test.ts)
 * - codes: camera refused, none, busy, codes of another file (scan.test.tsx)
 * - checks: explorer away, limited, CORS, blocked, coins spent or missing, receipt of an unknown key (elsewhere.test.ts, verify-page.test.tsx)
 */
interface Stuck {
  name: string;
  open: (page: Page) => Promise<unknown>;
  /** The message, and the text or button with what to do. */
  says: string;
  next: string | { button: string } | { link: string };
}

const go = (path: string) => (page: Page) => page.goto(path);
const fails = (route: Route) => route.fulfill({ status: 500, json: {} });

/** Answers a request like this, and opens the page. */
const whenFails = (pattern: string, path: string) => async (page: Page) => {
  await page.route(pattern, fails);
  await page.goto(path);
};

const chooseProof = (text: string) => async (page: Page) => {
  await page.goto('/verify');
  await page.getByLabel('Choose or drop a proof or a receipt').setInputFiles({ name: 'proof.json', mimeType: 'application/json', buffer: Buffer.from(text) });
};

const VISITOR: Stuck[] = [
  {
    name: 'the provider refuses',
    open: go('/auth/callback?error=access_denied&error_description=Denied'),
    says: 'Authentication error: access_denied - Denied',
    next: { link: 'Return to Login' },
  },
  { name: 'an old sign-in link', open: go('/auth/callback?code=abc'), says: 'This sign-in link was used already, or belongs to another browser.', next: { link: 'Return to Login' } },
  { name: 'a callback without a code', open: go('/auth/callback'), says: 'Authentication failed. No session was created.', next: 'Nothing was changed. Sign in again to continue.' },
  {
    name: 'no server at the sign-in',
    open: async (page) => {
      await page.route('**/app-config', (route) => route.abort());
      await page.goto('/login');
      await page.getByRole('button', { name: 'Continue with X' }).click();
    },
    says: 'Can’t reach the server.',
    next: 'Try again.',
  },
  {
    name: 'storage is blocked',
    open: async (page) => {
      await page.goto('/login');
      await page.evaluate(() => Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('', 'SecurityError'); } }));
      await page.getByRole('button', { name: 'Dev: Create Mock User & Login' }).click();
    },
    says: 'Your browser blocks storage for this site, which signing in needs.',
    next: 'Allow cookies and site data for it, then try again.',
  },
  { name: 'an unknown address', open: go('/nowhere'), says: 'There’s no page at /nowhere.', next: 'Here is the leaderboard.' },
  { name: 'an unknown name', open: go('/leaderboard?u=nobody-there'), says: 'There’s no "nobody-there" on the leaderboard.', next: { button: 'Filters' } },
  {
    name: 'a part of the page is gone, as after an update',
    open: async (page) => {
      await page.goto('/leaderboard');
      await page.route('**/assets/*how-it-works*', (route) => route.abort());
      await page.getByRole('contentinfo').getByRole('link', { name: 'How It Works' }).click();
    },
    says: 'This page could not be shown.',
    next: { button: 'Reload' },
  },
  { name: 'a proof that nobody publishes', open: go('/verify/00000000-0000-4000-8000-000000000000'), says: 'There is no such proof on this board.', next: 'Ask its holder for a new link or for the file.' },
  { name: 'a link to a proof that is none', open: go('/verify/nonsense'), says: 'There is no such proof on this board.', next: { button: 'Check another file' } },
  { name: 'a file that is no proof', open: chooseProof('{}'), says: 'This is not a proof file.', next: 'Ask the holder for the .json file' },
  { name: 'a file that is not JSON', open: chooseProof('cHNidP8'), says: 'This is not a proof file.', next: 'Ask the holder for the .json file' },
  { name: 'proofs of a person that do not load', open: whenFails('**/functions/v1/proofs?*', '/verify?profile=00000000-0000-4000-8000-000000000000'), says: 'answered with status 500', next: { button: 'Try Again' } },
];

const premium = async (route: Route) => route.fulfill({ json: { ...((await (await route.fetch()).json()) as object), premium: true } });

/** Opens the upload page as on a board of another network than the samples'. */
const onMainnet = async (page: Page) => {
  await page.route('**/app-config', async (route) => route.fulfill({ json: { ...((await (await route.fetch()).json()) as object), network: 'mainnet' } }));
  await openUpload(page);
};

const HOLDER: Stuck[] = [
  {
    name: 'a file of another network, before anything is made of it',
    open: async (page) => {
      await onMainnet(page);
      const unsigned = (await samplesOf(page)).find(({ id }) => id === 'unsigned');
      await chooseFile(page, 'coins.psbt', Buffer.from(unsigned?.psbt_base64 ?? '', 'base64'));
      await page.getByRole('heading', { name: 'Coins of another network' }).waitFor();
      expect(await page.getByRole('button', { name: 'Save the file to sign' }).count()).toBe(0);
    },
    says: 'These coins are on a test network',
    next: { button: 'Not so? Go on' },
  },
  {
    name: 'an address of another network',
    open: async (page) => {
      await onMainnet(page);
      await chooseFile(page, 'address.psbt', Buffer.from('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'));
    },
    says: 'This is an address of a test network, and only real bitcoin counts here.',
    next: 'In the wallet that has yours, export a PSBT.',
  },
  {
    name: 'the provider refuses a user who is signed in',
    open: go('/auth/callback?error=access_denied&error_description=Denied'),
    says: 'You are still signed in with the account you had.',
    next: { link: 'Go to Your Profile' },
  },
  { name: 'the profile does not load', open: profileAnswer(fails), says: 'An unknown error occurred', next: { button: 'Try Again' } },
  { name: 'the proofs do not load', open: whenFails('**/rest/v1/psbts?*', '/profile'), says: 'An unknown error occurred', next: { button: 'Try Again' } },
  {
    name: 'the copy of the data fails',
    open: async (page) => {
      await whenFails('**/export-account', '/profile')(page);
      await page.getByText('data, deletion').click();
      await page.getByRole('button', { name: 'Download My Data' }).click();
    },
    says: 'Couldn’t download your data.',
    next: 'Try again.',
  },
  {
    name: 'the account is not deleted',
    open: async (page) => {
      await whenFails('**/delete-account', '/profile')(page);
      await page.getByText('data, deletion').click();
      await page.getByRole('button', { name: 'Delete Account' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Account' }).click();
    },
    says: 'Failed to delete account.',
    next: 'Reload the page, then try again.',
  },
  {
    name: 'signing out fails',
    open: async (page) => {
      await whenFails('**/auth/v1/logout*', '/how-it-works')(page);
      await page.getByRole('banner').getByRole('button', { name: 'Profile' }).click();
      await page.getByRole('menuitem', { name: 'Logout' }).click();
    },
    says: 'Failed to logout',
    next: 'You are still signed in. Try again in a moment.',
  },
  {
    name: 'the payment fails',
    open: async (page) => {
      await page.route('**/app-config', premium);
      await whenFails('**/create-stripe-session', '/choose-plan')(page);
      await page.getByRole('button', { name: 'Get Premium' }).click();
    },
    says: 'Nothing was charged.',
    next: 'Try again later, or continue with Basic.',
  },
  {
    name: 'workers are blocked',
    open: async (page) => {
      await page.addInitScript(() => Reflect.deleteProperty(window, 'Worker'));
      await openUpload(page);
      const [sample] = await samplesOf(page);
      await chooseFile(page, 'coins.psbt', Buffer.from(sample?.psbt_base64 ?? '', 'base64'));
    },
    says: 'Your browser could not start the file reader. Your file is fine.',
    next: 'allow WebAssembly and workers for this site',
  },
];

let browser: Browser;
let holder: Visitor;
beforeAll(async () => {
  browser = await launch();
  holder = await newVisitor(browser);
  await signIn(holder.page);
  await sendSample(holder.page, 'A signed self-transfer');
});
afterAll(() => browser?.close());

async function drive(page: Page, { name, open, says, next: step }: Stuck): Promise<void> {
  await open(page);
  const main = page.getByRole('main');
  await main.getByText(says).first().waitFor({ timeout: 10_000 }).catch(async () => {
    throw new Error(`${name}: “${says}” is not said, but: ${await main.innerText()}`);
  });
  for (const width of [390, 1440]) {
    await resize(page, width);
    const next = typeof step === 'string' ? main.getByText(step) : main.getByRole('button' in step ? 'button' : 'link', { name: 'button' in step ? step.button : step.link });
    expect(await next.first().isVisible(), `${name}: what to do, ${width} px wide`).toBe(true);
    expect(await overflowOf(page), `${name}, ${width} px wide`).toBeLessThanOrEqual(0);
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

test('a visitor who is stuck reads what happened and what to do', async () => {
  const { context, page } = await newVisitor(browser);
  for (const stuck of VISITOR) await drive(page, stuck);
  await context.close();
});

test('a holder who is stuck reads what happened and what to do', async () => {
  for (const stuck of HOLDER) await drive(holder.page, stuck);
});
