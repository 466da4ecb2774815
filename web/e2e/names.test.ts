import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { axeViolations } from './accessibility';
import { TABLET, THEMES, WIDTHS, launch, newVisitor, resize, signIn } from './browser';
import { withoutFirstRows, type Row } from './rows';

const SHORT = 'דוד לוי';
/** Names of every kind, with amounts from the most that there can be to none, and ranks as long as they get. */
const NAMES: [string, Partial<Row>][] = [
  ['W_W_W_W_W_W_W_W', { rank: 1, bitcoin_holdings: 20_999_999.9769, published_sats: 5 }],
  ['Maximiliana Alexandrina von Hohenzollern-Sigmaringen und zu Fürstenberg', { provider: 'google', rank: 2, bitcoin_holdings: 1823.40017 }],
  [SHORT, { provider: 'google', rank: 3, bitcoin_holdings: 1070.6500085 }],
  ['משה כהן המכונה גם בשם ארוך מאוד שלא נגמר לעולם ועוד', { provider: 'google', rank: 4, bitcoin_holdings: 964, published_sats: 5 }],
  ['محمد عبد الله الحسيني', { provider: 'github', rank: 5, bitcoin_holdings: 111.1 }],
  ['👩‍👩‍👧‍👦🚀🌕', { rank: 12_345, bitcoin_holdings: 99.99999999 }],
  ['a_range_of_some', { rank: 13_000, bitcoin_holdings: 100, shown_as: 'range', published_sats: 5, last_verified: null }],
  ['the_lowest_range', { rank: 13_001, bitcoin_holdings: 0.00000001, shown_as: 'range', last_verified: null }],
  ['🦄', { provider: 'google', rank: 999_999, bitcoin_holdings: 12 }],
  ['李小龍 さくら นายสมชาย', { provider: 'google', rank: 1_234_567, bitcoin_holdings: 1.5, published_sats: 5 }],
  ['t̸̡̛e̶͎̓x̴̱͌t̵͇͝ Zalgo', { provider: 'google', rank: 1_234_568, bitcoin_holdings: 0.00000001 }],
  ['שלום ‮hello‬ مرحبا', { provider: 'google', rank: 1_234_568, bitcoin_holdings: 0.00000001 }],
  [' ', { verified: false, bitcoin_holdings: null, rank: null, last_verified: null }],
  ['user_1a2b3', { named: false, provider: 'google', verified: false, bitcoin_holdings: null, rank: null, last_verified: null }],
];
const PLAIN = Array.from({ length: 10 }, (_, index): [string, Partial<Row>] => [`plain_${index}`, { verified: false, bitcoin_holdings: null, rank: null }]);
const ROWS = NAMES.concat(PLAIN).map(([username, more], index): Row => {
  const last = new Date(Date.now() - index * 86_400_000).toISOString();
  const one = { avatar_url: null, verified: true, last_verified: last, provider: 'twitter', named: true, published_sats: null, bitcoin_holdings: 1, shown_as: 'exact' as const, rank: 1 };
  return Object.assign(one, more, { username, id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` });
});

/** Names as people have them on X: at most 15 letters. */
const USUAL = [
  'saylor', 'adam3us', 'lopp', 'pierre_rochard', 'jack', 'natbrunell', 'hodlonaut', 'jimmysong', 'dergigi', 'giacomozucco', 'BitcoinMagazine', 'gladstein', 'PrestonPysh', 'LynAldenContact',
  'stephanlivera', 'francispouliot_', 'matt_odell', 'MartyBent', 'ODELL', 'udiWertheimer', 'aantonop', 'starkness', 'roasbeef', 'pwuille', 'orionwl', 'NickSzabo4', 'TheBitcoinConf', 'WhalePanda', 'maximilian_f_21', 'MMMMMMMMMMMMMMM',
].map((username, index): Row => Object.assign({}, ROWS[0], { username, id: `10000000-0000-4000-8000-${String(index).padStart(12, '0')}`, rank: index + 1, bitcoin_holdings: 777.14123138 / (index + 1), published_sats: null }));

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

/** Answers with these rows, but leaves alone what is asked about one person. */
async function serveNames(page: Page, total = ROWS.length, all = ROWS): Promise<void> {
  await withoutFirstRows(page, total);
  await page.route('**/api/rest/v1/profiles?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    if (query.has('id')) return route.continue();
    const rows = query.get('offset') === '0' ? all : [];
    return route.fulfill({ status: 206, json: rows, headers: { 'Content-Range': `0-${all.length - 1}/${total}` } });
  });
}

interface Seen {
  text: string | null;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The heights of the rows, and visible texts that overlap. */
const looked = (page: Page) =>
  page.evaluate(() => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page
    const seen = (text: Node): Seen => {
      const range = document.createRange();
      range.selectNodeContents(text);
      let { left, right, top, bottom } = range.getBoundingClientRect();
      for (let box = text.parentElement; box && box.tagName !== 'TR'; box = box.parentElement) {
        if (getComputedStyle(box).overflow === 'visible') continue;
        const clip = box.getBoundingClientRect();
        [left, right, top, bottom] = [Math.max(left, clip.left), Math.min(right, clip.right), Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
      }
      return { text: text.textContent, left, right, top, bottom };
    };
    const rows = [...document.querySelectorAll('tr[data-index]')];
    const overlaps = rows.flatMap((row) => {
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      const texts: Seen[] = [];
      while (walker.nextNode()) texts.push(seen(walker.currentNode));
      const shown = texts.filter(({ left, right, text }) => right - left > 2 && text?.trim());
      const edge = row.getBoundingClientRect().right;
      const outside = shown.filter(({ right }) => right > edge).map(({ text }) => `${text} stands out`);
      const pairs = shown.flatMap((one, at) => shown.slice(at + 1).map((other) => [one, other] as const));
      const width = (one: Seen, other: Seen) => Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = (one: Seen, other: Seen) => Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      return outside.concat(pairs.filter(([one, other]) => width(one, other) > 0.5 && height(one, other) > 6).map(([one, other]) => `${one.text} | ${other.text}`));
    });
    return { heights: [...new Set(rows.map((row) => row.getBoundingClientRect().height))], overlaps };
  });

test('names of every kind have a row of one height each, in which nothing stands on anything', async () => {
  const { context, page, complaints } = await newVisitor(browser);
  await serveNames(page);
  await page.goto('/leaderboard');
  await page.getByRole('row').filter({ hasText: SHORT }).waitFor();
  for (const width of [320, ...WIDTHS]) {
    await resize(page, width);
    await expect.poll(async () => (await looked(page)).heights.length, { message: `heights, ${width} px wide` }).toBe(1);
    expect((await looked(page)).overlaps, `${width} px wide`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    for (const [place, theme] of THEMES.entries()) {
      await page.emulateMedia({ colorScheme: theme });
      expect(await axeViolations(page, place === 0 ? 'all' : 'colors'), `${width} px wide, ${theme}`).toEqual([]);
    }
    // The link to prove one's own coins appears once, where there is room for it.
    expect(await page.getByRole('link', { name: 'Verify your bitcoin' }).count()).toBe(1);
    if (width === TABLET) {
      // The pointer shows all of a name that is cut off.
      const cut = page.getByText(/^google:Maximiliana/);
      expect(await cut.evaluate((name) => name.closest('[title]')?.getAttribute('title'))).toMatch(/ und zu Fürstenberg$/);
    }
    // A name that has room is not cut off, in whichever direction it is written.
    if (width === 1440) expect(await page.getByText(SHORT).evaluate((name) => name.scrollWidth - name.clientWidth)).toBeLessThanOrEqual(0);
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test.each([
  [390, 26],
  [TABLET, 30],
])('names as people have them are whole, %i px wide: %i of 30', async (width, expected) => {
  const { context, page } = await newVisitor(browser, { width });
  await page.setViewportSize({ width, height: 2400 });
  await serveNames(page, USUAL.length, USUAL);
  await page.goto('/leaderboard');
  await page.getByRole('row').filter({ hasText: '@pwuille' }).waitFor();
  const cut = await page.locator('tr[data-index] .truncate:has(> bdi)').evaluateAll((names) => names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent));
  const whole = USUAL.length - cut.length;
  process.stdout.write(`names whole at ${width} px: ${whole} of ${USUAL.length}\n`);
  expect(whole, cut.join(' ')).toBeGreaterThanOrEqual(expected);
  await context.close();
});

test('the way to a profile is as large as a finger on a phone', async () => {
  const { context, page } = await newVisitor(browser, { width: 390 });
  await serveNames(page);
  await page.goto('/leaderboard');
  const link = page.getByRole('link', { name: `View Profile of ${SHORT}` });
  await link.waitFor();
  const reached = await link.evaluate((found) => {
    const row = found.closest('tr')!.getBoundingClientRect();
    const at = (x: number, y: number) => document.elementFromPoint(x, y)?.closest('a') === found;
    return [at(row.right - 2, row.top + 3), at(row.right - 43, row.bottom - 3), at(row.right - 22, (row.top + row.bottom) / 2)];
  });
  expect(reached).toEqual([true, true, true]);
  await context.close();
});

test.each([
  [390, 8],
  [1440, 14],
])('a user without a proof has a row at the foot of the window, which leads to a rank, %i px wide, below %i rows', async (width, rows) => {
  const { context, page, complaints } = await newVisitor(browser, { width });
  await signIn(page);
  await serveNames(page, 500);
  await page.goto('/leaderboard');
  const own = page.getByRole('region', { name: 'Your place' });
  await own.getByText('(you)').waitFor();
  expect(await own.innerText()).toContain('N/A');
  const whole = () =>
    page.evaluate(() => {
      const end = document.querySelector('[aria-label="Your place"]')!.getBoundingClientRect().top;
      return [...document.querySelectorAll('tr[data-index]')].filter((row) => row.getBoundingClientRect().bottom <= end).length;
    });
  expect(await whole()).toBeGreaterThanOrEqual(rows);
  expect(await axeViolations(page)).toEqual([]);
  // Only the buttons that lead to proving have this color.
  const prove = page.getByRole('link', { name: 'Verify your bitcoin' });
  const color = await prove.evaluate((link) => getComputedStyle(link).backgroundColor);
  const colored = await page.locator('a:visible, button:visible').evaluateAll(
    // Elements only for the keyboard are clipped.
    (all, same) => all.filter((it) => getComputedStyle(it).clipPath === 'none' && getComputedStyle(it).backgroundColor === same).map((it) => it.textContent),
    color,
  );
  expect(colored).toEqual(['Verify your bitcoin']);
  await own.getByRole('link', { name: 'Get a Rank' }).click();
  await page.waitForURL('**/upload');
  expect(complaints).toEqual([]);
  await context.close();
});
