import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch, newVisitor, signIn, threeHolders } from './browser';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
  await threeHolders(browser);
});
afterAll(() => browser?.close());

const theme = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
const links = (page: Page, landmark: string) => page.getByRole('navigation', { name: landmark }).getByRole('link').allInnerTexts();

test('a visitor sees the links for visitors in header and footer', async () => {
  const { context, page } = await newVisitor(browser);
  await page.goto('/how-it-works');
  const header = page.getByRole('banner');
  await header.getByRole('link', { name: 'Login' }).waitFor();
  await expect.poll(() => links(page, 'Main')).toEqual(['How It Works', 'Check']);
  expect(await header.getByRole('link', { name: 'Upgrade' }).count()).toBe(0);

  const footer = page.getByRole('contentinfo');
  expect(await links(page, 'Footer')).toEqual(['Leaderboard', 'How It Works', 'Privacy Policy', 'Terms of Service', 'Private proof', 'Inspect a PSBT', 'Data and embeds']);
  expect(await footer.innerText()).toContain(`© ${new Date().getFullYear()} Proof of Reserves`);
  await footer.getByRole('link', { name: 'Terms of Service' }).click();
  await page.waitForURL('**/terms-of-service');
  await header.getByRole('link', { name: 'Proof of Reserves' }).click();
  await page.waitForURL('**/leaderboard');
  await context.close();
});

test('the footer leads to data and embeds, from another screen and from the guide itself', async () => {
  const { context, page } = await newVisitor(browser);
  for (const path of ['/terms-of-service', '/how-it-works']) {
    await page.goto(path);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Data and embeds' }).click();
    await page.waitForURL('**/how-it-works#data');
    const heading = page.locator('#data');
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeGreaterThan(64);
    // The section is wholly visible; the page may be too short for it to be at the top.
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(700);
  }
  // The next screen starts at its top again.
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await page.getByRole('heading', { name: 'Terms of Service', level: 1 }).waitFor();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await context.close();
});

test('the documents without session code have the same header, and Logout there signs out', async () => {
  const { context, page } = await newVisitor(browser);
  await page.goto('/verify');
  const header = page.getByRole('banner');
  await header.getByRole('link', { name: 'Login' }).waitFor();
  expect(await links(page, 'Main')).toEqual(['How It Works', 'Check']);
  await signIn(page);
  await page.goto('/leaderboard');
  await header.getByRole('button', { name: 'Profile' }).waitFor();
  for (const path of ['/verify', '/prove', '/prove/ask']) {
    await page.goto(path);
    await header.getByRole('button', { name: 'Profile' }).waitFor();
    expect(await links(page, 'Main')).toEqual(['How It Works', 'Check', 'Verify']);
    expect(await header.getByRole('link', { name: 'Login' }).count()).toBe(0);
  }
  expect(await page.evaluate(() => localStorage.getItem('account'))).toMatch(/^(in|free)$/);
  await header.getByRole('button', { name: 'Profile' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await page.getByRole('button', { name: 'Dev: Create Mock User & Login' }).waitFor();
  await expect.poll(() => page.evaluate(() => [localStorage.getItem('proof-session'), localStorage.getItem('account')])).toEqual([null, null]);
  await page.goto('/verify');
  await header.getByRole('link', { name: 'Login' }).waitFor();
  await context.close();
});

test.each(['/leaderboard', '/verify', '/prove', '/profile'])('at 320 px the header of %s is whole for a signed-in user', async (path) => {
  const { context, page } = await newVisitor(browser, { width: 320 });
  await signIn(page);
  await page.goto('/leaderboard');
  await page.getByRole('banner').getByRole('button', { name: 'Profile' }).waitFor();
  await page.goto(path);
  await page.getByRole('banner').getByRole('button', { name: 'Profile' }).waitFor();
  const box = await page.getByRole('button', { name: 'Open menu' }).boundingBox();
  expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await context.close();
});

test('a signed-in user sees Verify, and no Upgrade where nothing is sold, and opens the profile menu by keyboard', async () => {
  const { context, page } = await newVisitor(browser);
  await signIn(page);
  await page.goto('/leaderboard');
  const header = page.getByRole('banner');
  await expect.poll(() => links(page, 'Main')).toEqual(['How It Works', 'Check', 'Verify']);
  expect(await header.getByRole('link', { name: 'Upgrade' }).count()).toBe(0);
  expect(await header.getByRole('link', { name: 'Login' }).count()).toBe(0);
  // Where Premium is sold, the button is filled orange.
  await page.route('**/app-config', async (route) => route.fulfill({ json: { ...((await (await route.fetch()).json()) as object), premium: true } }));
  await page.reload();
  await header.getByRole('link', { name: 'Upgrade' }).click();
  await page.waitForURL('**/choose-plan');

  const menu = header.getByRole('button', { name: 'Profile' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'View Profile' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem', { name: 'View Profile' }).waitFor({ state: 'hidden' });
  await expect.poll(() => menu.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/profile\/[0-9a-f-]{36}$/);
  await context.close();
});

test('the mobile menu mirrors the links, and gives the focus back', async () => {
  const { context, page } = await newVisitor(browser, { width: 390 });
  await signIn(page);
  await page.goto('/leaderboard');
  const hamburger = page.getByRole('button', { name: 'Open menu' });
  await hamburger.click();
  const menu = page.getByRole('navigation', { name: 'Mobile' });
  await expect.poll(() => menu.getByRole('link').allInnerTexts()).toEqual(['How It Works', 'Check', 'Verify', 'View Profile']);
  await menu.getByRole('button', { name: 'Logout' }).waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  await expect.poll(() => hamburger.evaluate((button) => button === document.activeElement)).toBe(true);
  await hamburger.click();
  await menu.getByRole('link', { name: 'Verify' }).click();
  await page.waitForURL('**/upload');
  await menu.waitFor({ state: 'hidden' });
  await hamburger.click();
  await menu.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await hamburger.click();
  await expect.poll(() => menu.getByRole('link').allInnerTexts()).toEqual(['How It Works', 'Check', 'Login']);
  await context.close();
});

test('the theme follows the system until one is chosen, and the choice stays', async () => {
  const { context, page } = await newVisitor(browser, { theme: 'dark' });
  await page.goto('/login');
  await page.getByRole('button', { name: 'Switch to light theme' }).waitFor();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('theme'))).toBe('dark');
  await expect.poll(() => theme(page)).toBe('dark');
  await page.reload();
  await page.getByRole('button', { name: 'Switch to light theme' }).waitFor();
  await expect.poll(() => theme(page)).toBe('dark');
  await context.close();
});

test('the keyboard reaches everything, and shows where it is', async () => {
  const { context, page } = await newVisitor(browser);
  await page.goto('/leaderboard');
  await page.getByText(/^Showing \d/).waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');

  await page.goto('/leaderboard');
  await page.getByText(/^Showing \d/).waitFor();
  const reached: string[] = [];
  for (let step = 0; step < 24; step++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      const style = getComputedStyle(element);
      return {
        name: element.getAttribute('aria-label') ?? (element as HTMLInputElement).placeholder ?? element.innerText,
        outlined: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
      };
    });
    reached.push(stop.name);
    expect(stop.outlined, `${stop.name} shows the focus`).toBe(true);
  }
  for (const name of ['Proof of Reserves', 'How It Works', 'Check', 'Login', 'Switch to dark theme', 'Search by username...', 'Filters', 'Leaderboard rows']) {
    expect(reached, name).toContain(name);
  }
  await page.getByRole('button', { name: 'Filters' }).focus();
  await page.keyboard.press('Enter');
  // The panel takes the focus when it opens; its code loads with the first press.
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('checkbox');
  await page.keyboard.press('Space');
  await page.waitForURL((url) => url.searchParams.get('verified') === '1');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Filters');
  await context.close();
});

test('on paper a page is what it says, in dark on light', async () => {
  const { context, page } = await newVisitor(browser, { theme: 'dark' });
  await page.goto('/how-it-works');
  await page.evaluate(() => localStorage.setItem('theme', 'dark'));
  await page.reload();
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('heading', { name: 'How It Works' }).waitFor();
  expect(await page.getByText('Leaderboard ranking').isVisible()).toBe(true);
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  expect(await page.getByRole('contentinfo').isVisible()).toBe(false);
  expect(await theme(page)).toBe('light');
  await context.close();
});
