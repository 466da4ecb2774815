import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { axeViolations } from './accessibility';
import { ARTIFACTS, THEMES, WIDTHS, launch, newVisitor, samplesOf, signIn, signInWithoutPlan, type Visitor } from './browser';
import { openUpload, proveSample, useSample } from './upload';

interface Screen {
  name: string;
  open: (page: Page) => Promise<unknown>;
  /** What stands on the screen when it is complete. */
  ready: (page: Page) => Promise<unknown>;
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true }).waitFor();
const go = (path: string) => (page: Page) => page.goto(path);

const PUBLIC: Screen[] = [
  { name: 'leaderboard', open: go('/leaderboard'), ready: (page) => page.getByText(/^Showing \d/).waitFor() },
  { name: 'leaderboard-empty', open: go('/leaderboard?q=nobody-has-this-name'), ready: (page) => page.getByText('No users found').waitFor() },
  { name: 'how-it-works', open: go('/how-it-works'), ready: heading('How It Works') },
  { name: 'login', open: go('/login'), ready: (page) => page.getByText('(Only available in development mode)').waitFor() },
  { name: 'callback-error', open: go('/auth/callback?error=access_denied&error_description=Denied'), ready: heading('Authentication Error') },
  { name: 'privacy-policy', open: go('/privacy'), ready: heading('Privacy Policy') },
  { name: 'terms-of-service', open: go('/terms'), ready: heading('Terms of Service') },
];

const OWN: Screen[] = [
  { name: 'profile', open: go('/profile'), ready: (page) => page.getByRole('heading', { name: 'Proof #1' }).waitFor() },
  { name: 'profile-not-found', open: go('/profile/00000000-0000-4000-8000-000000000000'), ready: heading('Profile Not Found') },
  { name: 'leaderboard-signed-in', open: go('/leaderboard'), ready: (page) => page.getByText('(you)').waitFor() },
  { name: 'upload', open: openUpload, ready: (page) => page.getByText('Samples of the development chain').waitFor() },
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

async function check({ page, complaints }: Visitor, screen: Screen, variant: string): Promise<void> {
  await screen.open(page);
  await screen.ready(page);
  await page.evaluate(() => void window.scrollTo(0, 0)); // the header sticks, and a full-page picture starts at the top
  await page.screenshot({ path: join(ARTIFACTS, `${screen.name}-${variant}.png`), fullPage: true });
  expect(await axeViolations(page), screen.name).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${screen.name} scrolls sideways`).toBeLessThanOrEqual(0);
  expect(complaints.splice(0), screen.name).toEqual([]);
}

describe.each(THEMES)('%s theme', (theme) => {
  describe.each(WIDTHS)('%i px wide', (width) => {
    const variant = `${width}-${theme}`;

    test('public screens', async () => {
      const visitor = await newVisitor(browser, { theme, width });
      for (const screen of PUBLIC) await check(visitor, screen, variant);
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
      for (const screen of OWN) await check(visitor, screen, variant);
      await context.close();
    });
  });
});
