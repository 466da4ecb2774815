import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { axeViolations } from './accessibility';
import { askApi, launch, newVisitor, sendSample, signIn } from './browser';
import { openUpload, proveButton, useSample } from './upload';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

const SAMPLE = 'Cold storage, 2 of 3'; // 12.5 BTC, of which a range is "at least 10"

/** A holder who has proven that, on their own profile. */
async function holder(page: Page): Promise<{ id: string; name: string }> {
  await signIn(page);
  await sendSample(page, SAMPLE);
  await page.goto('/profile');
  await page.waitForURL(/\/profile\/[0-9a-f-]{36}$/);
  await page.getByText('User Profile').waitFor();
  const name = await page.getByRole('heading', { level: 1 }).innerText();
  return { id: page.url().split('/').at(-1) ?? '', name };
}

const unfold = (page: Page) => page.getByText('Others see', { exact: true }).click();
const option = (page: Page, name: RegExp) => page.getByRole('radio', { name });

test('a holder shows a range: others see it at once and everywhere, and the owner alone the exact total', { timeout: 60_000 }, async () => {
  const owner = await newVisitor(browser);
  const { id, name } = await holder(owner.page);
  const visitor = await newVisitor(browser);
  await visitor.page.goto(`/leaderboard?u=${name}`);
  const row = visitor.page.getByRole('row').filter({ hasText: name });
  await row.getByText('12.50000000').waitFor();

  await unfold(owner.page);
  await option(owner.page, /^Only a range at least 10 BTC/).check();
  // A visitor's open board shows it without a reload.
  await row.getByText('at least 10 BTC').waitFor();
  expect(await row.innerText()).not.toContain('12.5');
  await expect.poll(() => option(owner.page, /^Only a range/).isChecked()).toBe(true);
  expect(await axeViolations(owner.page)).toEqual([]);

  // The owner's pages have the exact total, and say what others see.
  await owner.page.reload();
  await owner.page.getByText('12.50000000 BTC').first().waitFor();
  await owner.page.getByText('at least 10 BTC').first().waitFor();
  // Shared links and pictures show only the range.
  const shared = new URL((await owner.page.getByRole('link', { name: 'Share rank on X' }).getAttribute('href')) ?? '');
  expect(shared.searchParams.get('text')).toContain('at least 10 BTC');
  expect(shared.search).not.toContain('12.5');

  // No other public address reveals more.
  for (const path of [`/leaderboard?u=${name}`, `/embed?u=${name}`, `/api/rest/v1/profiles?id=eq.${id}`, '/api/functions/v1/board.csv']) {
    const own = async () => {
      const text = await visitor.page.evaluate(async (target) => (await fetch(target)).text(), path);
      // The rows of other users are not checked.
      return text.split(/\n|<tr|\{/).filter((part) => part.includes(name));
    };
    // The download has the row again with the next entry of the log.
    await expect.poll(own, { message: path }).not.toEqual([]);
    expect((await own()).filter((part) => part.includes('12.5')), path).toEqual([]);
  }
  const [seen] = await askApi<{ last_verified: string | null; shown_as: string }[]>(visitor.page, `/api/rest/v1/profiles?id=eq.${id}`);
  expect(seen).toMatchObject({ shown_as: 'range', last_verified: null });

  // Showing the exact total again asks for confirmation.
  await unfold(owner.page);
  await option(owner.page, /^The exact total/).click();
  await owner.page.getByRole('alertdialog').getByRole('button', { name: 'Show it' }).click();
  await row.getByText('12.50000000').waitFor();
  expect([...owner.complaints, ...visitor.complaints]).toEqual([]);
  await owner.context.close();
  await visitor.context.close();
});

test('the choice is offered in one line before a first proof; a range and a published proof exclude each other', { timeout: 60_000 }, async () => {
  const { context, page, complaints } = await newVisitor(browser, { width: 390 });
  await signIn(page);
  await openUpload(page);
  await useSample(page, SAMPLE);
  await page.getByRole('button', { name: 'Show a range instead' }).click();
  await page.getByText('at least 10 BTC').first().waitFor();
  await page.getByRole('button', { name: 'Show the exact amount instead' }).click();
  await page.getByRole('button', { name: 'Show a range instead' }).click();
  await page.getByText('at least 10 BTC').first().waitFor();
  await proveButton(page).click();
  const publish = page.getByRole('button', { name: 'Publish' });
  await publish.waitFor();
  await page.mouse.click(5, 300); // so that the page stays
  expect(await publish.isDisabled()).toBe(true);
  await page.getByText('You show only a range of your total.').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
