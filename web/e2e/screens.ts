/** The screens of visitors and of signed-in users. Screens of /upload, /prove and what is shared are next to their journeys. */
import type { Page, Route } from 'playwright-core';
import { waitsFor } from './browser';
import type { Screen } from './look';
import { named, profileAnswer } from './rows';
import { chooseFile } from './upload';

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true }).waitFor();
const go = (path: string) => (page: Page) => page.goto(path);

/** Answers the list of the leaderboard, but not the profile of the signed-in user. The page brings the first rows of the
 * whole list along, so a filter it is. */
const boardAnswer = (answer: (route: Route) => unknown) => async (page: Page) => {
  await page.route('**/api/rest/v1/profiles?*order=*', answer);
  await page.goto('/leaderboard?verified=1');
};

/** Those of visitors, with a published proof and its owner. */
export const publicScreens = (published: { id: string; profile_id: string }): Screen[] => [
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
    open: go('/how-it-works'),
    ready: heading('How It Works'),
  },
  { name: 'for-auditors', open: go('/how-it-works/auditors'), ready: heading('For auditors') },
  {
    name: 'inspect',
    open: async (page) => {
      await page.goto('/inspect');
      await chooseFile(page, 'empty.psbt', Buffer.alloc(0));
    },
    ready: (page) => page.getByText('Invalid PSBT: File too short').waitFor(),
  },
  { name: 'verify', open: go('/verify'), ready: heading('What no proof shows') },
  { name: 'verify-proof', open: (page) => page.goto(`/verify/${published.id}`), ready: (page) => page.getByText('What was checked').waitFor() },
  { name: 'verify-no-proof', open: go('/verify/00000000-0000-4000-8000-000000000000'), ready: (page) => page.getByText('No such proof', { exact: true }).waitFor() },
  {
    name: 'verify-person',
    open: (page) => page.goto(`/verify?profile=${published.profile_id}`),
    ready: (page) => page.getByRole('heading', { name: /^Published proofs of / }).waitFor(),
  },
  { name: 'login', open: go('/login'), ready: (page) => page.getByText('(Only available in development mode)').waitFor() },
  {
    name: 'login-reason',
    open: go('/upload'),
    ready: (page) => page.getByText('You must be logged in to verify a PSBT.').waitFor(),
  },
  { name: 'callback-error', open: go('/auth/callback?error=access_denied&error_description=Denied'), ready: heading('Authentication Error') },
  { name: 'privacy-policy', open: go('/privacy'), ready: heading('Privacy Policy') },
  { name: 'terms-of-service', open: go('/terms'), ready: heading('Terms of Service') },
];

/** The screens of a signed-in holder. */
export const OWN_SCREENS: Screen[] = [
  { name: 'profile', open: go('/profile'), ready: (page) => page.getByRole('heading', { name: 'Proof #1' }).waitFor() },
  { name: 'profile-not-found', open: go('/profile/00000000-0000-4000-8000-000000000000'), ready: heading('Profile Not Found') },
  {
    name: 'leaderboard-signed-in',
    open: async (page) => {
      await page.goto('/profile');
      await page.getByText('User Profile').waitFor();
      const name = await page.getByRole('heading', { level: 1 }).innerText();
      await page.goto(`/leaderboard?u=${name}`);
    },
    ready: (page) => page.getByText('(you)').first().waitFor(),
  },
  { name: 'profile-loading', open: profileAnswer(() => {}), ready: (page) => page.getByText('Loading profile...').waitFor() },
  {
    name: 'profile-error',
    open: profileAnswer((route) => route.fulfill({ status: 500, json: { message: 'Disk full' } })),
    ready: heading('Error Loading Profile'),
  },
  { name: 'profile-long-name', open: named(`${'an_unusually_long_name_'.repeat(4)}of_somebody`, 'google'), ready: (page) => page.getByText('User Profile').waitFor() },
  { name: 'profile-rtl-name', open: named('שלום ‮עולם‬ 👩‍👩‍👧‍👦 مرحبا', 'github'), ready: (page) => page.getByText('User Profile').waitFor() },
  { name: 'profile-no-name', open: named(' ', 'twitter'), ready: (page) => page.getByText('User Profile').waitFor() },
  {
    name: 'profile-delete',
    open: async (page) => {
      await page.goto('/profile');
      await page.getByText('data, deletion').click();
      await page.getByRole('button', { name: 'Delete Account' }).click();
    },
    ready: (page) => page.getByRole('alertdialog').waitFor(),
  },
  {
    name: 'profile-menu',
    open: async (page) => {
      await page.goto('/how-it-works');
      await page.getByRole('banner').getByRole('button', { name: 'Profile' }).click();
    },
    ready: (page) => page.getByRole('menuitem', { name: 'Logout' }).waitFor(),
  },
  {
    name: 'profile-tooltip',
    open: async (page) => {
      await page.goto('/profile');
      await page.getByRole('button', { name: /^File: / }).first().focus();
    },
    ready: (page) => page.getByRole('tooltip').waitFor(),
  },
  { name: 'choose-plan', open: go('/choose-plan'), ready: heading('Choose Your Plan') },
  {
    name: 'profile-unpublish',
    open: async (page) => {
      await page.route('**/api/rest/v1/psbts?*', async (route) => {
        const response = await route.fetch();
        const proofs = (await response.json()) as { published: boolean }[];
        for (const proof of proofs) proof.published = true;
        await route.fulfill({ response, json: proofs });
      });
      await page.goto('/profile');
      await page.getByRole('button', { name: 'Unpublish', exact: true }).first().click();
    },
    ready: (page) => page.getByText('Copies others made stay.').waitFor(),
  },
  // Must be the last screen: it deletes the account.
  {
    name: 'profile-deleted',
    open: async (page) => {
      await page.goto('/profile');
      await page.getByText('data, deletion').click();
      await page.getByRole('button', { name: 'Delete Account' }).click();
      await waitsFor(page, 2000);
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Account' }).click();
    },
    ready: (page) => page.getByText('Account Deleted!').waitFor(),
  },
];
