import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { axeViolations } from './accessibility';
import { launch, newVisitor, sendSample, sessionOf, signIn, signInWithoutPlan, waitsFor } from './browser';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

test('without a plan every protected page leads to the plans and then back; with one the session outlives a reload', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await signInWithoutPlan(page);
  await page.goto('/upload?publish');
  await page.waitForURL('**/choose-plan');
  expect(await page.getByRole('button', { name: 'Coming Soon' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Continue with Basic' }).click();
  await page.waitForURL('**/upload?publish');
  await page.goto('/login');
  await page.waitForURL(/\/profile\/[0-9a-f-]{36}$/);
  await page.getByText('No verification history yet').waitFor();

  await page.getByRole('button', { name: 'Profile' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
  await page.goto('/upload');
  await page.waitForURL('**/login');
  expect(complaints).toEqual([]);
  await context.close();
});

test('a session that has ended elsewhere ends here with the next answer, says so, and leads back after signing in', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await signIn(page);
  await page.goto('/how-it-works');
  await page.getByRole('banner').getByRole('button', { name: 'Profile' }).waitFor();
  // The same user signs out on another device.
  const headers = { Authorization: `Bearer ${(await sessionOf(page)).access_token}` };
  expect((await page.request.post('/api/auth/v1/logout?scope=global', { headers })).status()).toBe(204);
  await page.getByRole('banner').getByRole('link', { name: 'Verify' }).click();
  await page.waitForURL('**/login');
  await page.getByText('Your session has ended. Please sign in again.').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.evaluate(() => localStorage.getItem('proof-session'))).toBeNull();
  await page.getByRole('button', { name: 'Dev: Create Mock User & Login' }).click();
  await page.getByRole('button', { name: 'Continue with Basic' }).click();
  await page.waitForURL('**/upload');
  expect(complaints).toEqual([]);
  await context.close();
});

test('X is refused in development, in the words of the catalogue', async () => {
  const { context, page } = await newVisitor(browser);
  await page.goto('/login');
  await page.getByText('OAuth login (twitter) is disabled in development mode. Use mock login.').waitFor();
  expect(await page.getByRole('button', { name: 'Continue with X' }).isDisabled()).toBe(true);
  await context.close();
});

test('another person sees the profile without history and controls', async () => {
  const holder = await newVisitor(browser);
  await signIn(holder.page);
  await sendSample(holder.page, 'A signed self-transfer');
  await holder.page.goto('/profile');
  await holder.page.waitForURL(/\/profile\//);
  const address = holder.page.url();
  await holder.page.getByText('Verification History').waitFor();

  const other = await newVisitor(browser);
  await signIn(other.page);
  await other.page.goto(address);
  await other.page.getByText('2.25000000 BTC').waitFor();
  for (const hidden of ['Verification History', 'Upload New PSBT', 'data, deletion']) {
    expect(await other.page.getByText(hidden).count(), hidden).toBe(0);
  }
  const share = await other.page.getByRole('link', { name: 'Share rank on X' }).getAttribute('href');
  expect(share).toContain('2.25+BTC');
  await holder.context.close();
  await other.context.close();
});

test('the mock proof counts, hides from the history, and can be cleared', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await signIn(page);
  await sendSample(page, 'The mock proof');
  await page.goto('/profile');
  await page.locator('dd').getByText('1.25000000 BTC').waitFor();
  await page.getByText('No verification history yet').waitFor();
  await page.getByRole('button', { name: 'Clear Mock Data' }).click();
  await page.getByText('Never', { exact: true }).waitFor();
  await page.getByText('Rank N/A').waitFor();
  expect(await page.getByRole('button', { name: 'Clear Mock Data' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test('an account is deleted after a question, with its place on the leaderboard', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await signIn(page);
  await sendSample(page, 'A signed self-transfer');
  await page.goto('/profile');
  await page.getByText('User Profile').waitFor();
  const name = await page.getByRole('heading', { level: 1 }).innerText();

  await page.getByText('data, deletion').click();
  await page.getByRole('button', { name: 'Delete Account' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('Are you sure you want to delete your account? This action cannot be undone.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await dialog.getByRole('button', { name: 'Delete Account' }).click();
  await page.getByText('Account Deleted!').waitFor();
  await page.getByText('Your account has been deleted. Redirecting...').waitFor();
  await page.waitForURL('**/leaderboard');
  await page.getByText(/^Showing \d/).waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
  await expect.poll(() => page.getByText(name, { exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test('who reloads the page right after deleting the account reads that it is gone', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await signIn(page);
  await page.goto('/profile');
  await page.getByText('data, deletion').click();
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await waitsFor(page, 2000);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Account' }).click();
  await page.getByText('Account Deleted!').waitFor();
  await page.reload();
  await page.waitForURL('**/login');
  await page.getByText('Your account has been deleted. Sign in to start a new one.').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('who follows a link out of the app right after deleting the account is signed out, and told of no session that has ended', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await signIn(page);
  await page.goto('/profile');
  await page.getByText('data, deletion').click();
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await waitsFor(page, 2000);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Account' }).click();
  await page.getByText('Account Deleted!').waitFor();
  await page.goto('/verify');
  expect(await page.evaluate(() => localStorage.getItem('proof-session'))).toBeNull();
  await page.goto('/leaderboard');
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
  await page.goto('/login');
  await page.getByText('(Only available in development mode)').waitFor();
  expect(await page.getByText('Your session has ended').count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});
