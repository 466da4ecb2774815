import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page, Route } from 'playwright-core';
import { axeViolations } from './accessibility';
import { ARTIFACTS, TABLET, THEMES, WIDTHS, launch, newVisitor, samplesOf, signIn, signInWithoutPlan, type Visitor } from './browser';
import { chooseFile, openUpload, proveSample, useSample, verifyButton } from './upload';

interface Screen {
  name: string;
  open: (page: Page) => Promise<unknown>;
  /** What stands on the screen when it is complete. */
  ready: (page: Page) => Promise<unknown>;
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true }).waitFor();
const go = (path: string) => (page: Page) => page.goto(path);

/** Answers the list of the leaderboard, but not the one profile of whoever is signed in. The page brings the first rows of the
 * whole list along, so a filter it is. */
const boardAnswer = (answer: (route: Route) => unknown) => async (page: Page) => {
  await page.route('**/api/rest/v1/profiles?*order=*', answer);
  await page.goto('/leaderboard?verified=1');
};
const clearRoutes = (page: Page) => page.unrouteAll({ behavior: 'ignoreErrors' });

const PUBLIC: Screen[] = [
  { name: 'leaderboard', open: go('/leaderboard'), ready: (page) => page.getByText(/^Showing \d/).waitFor() },
  { name: 'leaderboard-empty', open: go('/leaderboard?q=nobody-has-this-name'), ready: (page) => page.getByText('No users found').waitFor() },
  { name: 'leaderboard-loading', open: boardAnswer(() => {}), ready: (page) => page.getByText('Loading leaderboard...').waitFor() },
  {
    name: 'leaderboard-error',
    open: boardAnswer((route) => route.fulfill({ status: 500, json: { message: 'The list is on fire.' } })),
    ready: heading('Error'),
  },
  {
    name: 'leaderboard-filters',
    open: async (page) => {
      await page.goto('/leaderboard?verified=1');
      await page.getByRole('button', { name: 'Filters' }).click();
    },
    ready: (page) => page.getByRole('checkbox', { name: 'Verified users only' }).waitFor(),
  },
  {
    name: 'how-it-works',
    open: async (page) => {
      await page.goto('/how-it-works');
      for (const wallet of ['Bitcoin Core', 'Krux']) await page.getByText(wallet, { exact: true }).click();
    },
    ready: heading('How It Works'),
  },
  {
    name: 'inspect',
    open: async (page) => {
      await page.goto('/inspect');
      await chooseFile(page, 'empty.psbt', Buffer.alloc(0));
    },
    ready: (page) => page.getByText('Invalid PSBT: File too short').waitFor(),
  },
  { name: 'login', open: go('/login'), ready: (page) => page.getByText('(Only available in development mode)').waitFor() },
  { name: 'callback-error', open: go('/auth/callback?error=access_denied&error_description=Denied'), ready: heading('Authentication Error') },
  { name: 'privacy-policy', open: go('/privacy'), ready: heading('Privacy Policy') },
  { name: 'terms-of-service', open: go('/terms'), ready: heading('Terms of Service') },
];

/** A stranger's profile, with this answer for it. */
const profileAnswer = (answer: (route: Route) => unknown) => async (page: Page) => {
  await page.route('**/api/rest/v1/profiles?*id=eq.1111*', answer);
  await page.goto('/profile/11111111-0000-4000-8000-000000000000');
};

/** A file that the server answers so. */
const submitAnswer = (status: number, word: string) => async (page: Page) => {
  await openUpload(page);
  await useSample(page, 'A signed self-transfer');
  await page.route('**/submit-proof', (route) =>
    route.fulfill({ status, json: { status: word, message: 'A sentence that says which rule and which input.' } }),
  );
  await verifyButton(page).click();
};

const OWN: Screen[] = [
  { name: 'profile', open: go('/profile'), ready: (page) => page.getByRole('heading', { name: 'Proof #1' }).waitFor() },
  { name: 'profile-not-found', open: go('/profile/00000000-0000-4000-8000-000000000000'), ready: heading('Profile Not Found') },
  {
    name: 'leaderboard-signed-in',
    open: async (page) => {
      await page.goto('/profile');
      const name = await page.getByRole('main').getByRole('heading', { level: 2 }).first().innerText();
      await page.goto(`/leaderboard?u=${name}`);
    },
    ready: (page) => page.getByText('(you)').waitFor(),
  },
  { name: 'profile-loading', open: profileAnswer(() => {}), ready: (page) => page.getByText('Loading profile...').waitFor() },
  {
    name: 'profile-error',
    open: profileAnswer((route) => route.fulfill({ status: 500, json: { message: 'Disk full' } })),
    ready: heading('Error Loading Profile'),
  },
  {
    name: 'profile-delete',
    open: async (page) => {
      await page.goto('/profile');
      await page.getByRole('button', { name: 'Delete Account' }).click();
    },
    ready: (page) => page.getByRole('alertdialog').waitFor(),
  },
  {
    name: 'upload',
    open: async (page) => {
      await openUpload(page);
      await page.getByText('Make the file by hand in Bitcoin Core').click();
      await page.getByLabel('What do you sign with?').selectOption('bitcoin-core');
    },
    ready: (page) => page.getByText('Samples of the development chain').waitFor(),
  },
  {
    name: 'upload-unsigned',
    open: async (page) => {
      await openUpload(page);
      await useSample(page, 'The self-transfer, not signed');
    },
    ready: (page) => page.getByRole('button', { name: 'Download the file to sign' }).waitFor(),
  },
  {
    name: 'upload-bad-file',
    open: async (page) => {
      await openUpload(page);
      await chooseFile(page, 'holiday.jpg', Buffer.from('no'));
    },
    ready: (page) => page.getByText('Please upload a valid PSBT file').waitFor(),
  },
  { name: 'upload-conflict', open: submitAnswer(409, 'conflict'), ready: (page) => page.getByText('Conflict Detected').waitFor() },
  { name: 'upload-failed', open: submitAnswer(422, 'error'), ready: (page) => page.getByText('Verification Failed').waitFor() },
  {
    name: 'upload-report',
    open: async (page) => {
      await openUpload(page);
      await useSample(page, 'Cold storage, 2 of 3');
    },
    ready: heading('What this file contains'),
  },
  { name: 'choose-plan', open: go('/choose-plan'), ready: heading('Choose Your Plan') },
];

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
  // A board with more than one row on it.
  for (let person = 0; person < 3; person++) {
    const { context, page } = await newVisitor(browser);
    await signIn(page);
    const samples = await samplesOf(page);
    const [first, second] = samples;
    if (first && person > 0) await proveSample(page, first.title);
    if (second && person > 1) await proveSample(page, second.title);
    await context.close();
  }
});
afterAll(() => browser?.close());

/** Looks at a screen; that of a tablet is only pictured. */
async function check({ page, complaints }: Visitor, screen: Screen, variant: string, width: number): Promise<void> {
  await screen.open(page);
  await screen.ready(page);
  await page.evaluate(() => void window.scrollTo(0, 0)); // the header sticks, and a full-page picture starts at the top
  await page.screenshot({ path: join(ARTIFACTS, `${screen.name}-${variant}.png`), fullPage: true });
  if (width !== TABLET) expect(await axeViolations(page), screen.name).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${screen.name} scrolls sideways`).toBeLessThanOrEqual(0);
  await clearRoutes(page);
  expect(complaints.splice(0), screen.name).toEqual([]);
}

describe.each(THEMES)('%s theme', (theme) => {
  // The width of a tablet differs from the others in its layout, not in its colours.
  describe.each(WIDTHS.filter((px) => px !== TABLET || theme === 'light'))('%i px wide', (width) => {
    const variant = `${width}-${theme}`;

    test('public screens', async () => {
      const visitor = await newVisitor(browser, { theme, width });
      for (const screen of PUBLIC) await check(visitor, screen, variant, width);
      if (width < 500) {
        await visitor.page.getByRole('button', { name: 'Open menu' }).click();
        await visitor.page.screenshot({ path: join(ARTIFACTS, `menu-${variant}.png`) });
        expect(await axeViolations(visitor.page), 'mobile menu').toEqual([]);
      }
      await visitor.context.close();
    });

    test('screens of a signed-in person', async () => {
      const visitor = await newVisitor(browser, { theme, width });
      const { page, context } = visitor;
      await signInWithoutPlan(page);
      await page.getByRole('button', { name: 'Continue with Basic' }).click();
      await page.waitForURL('**/leaderboard');
      const [sample] = await samplesOf(page);
      await proveSample(page, sample?.title ?? '');
      await page.screenshot({ path: join(ARTIFACTS, `upload-success-${variant}.png`), fullPage: true });
      for (const screen of OWN) await check(visitor, screen, variant, width);
      await context.close();
    });
  });
});
