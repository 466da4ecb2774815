/**
 * npm run words: how many words stand on a screen before anything is unfolded, on a desktop and on a phone. Tables, folded and visually hidden text,
 * and the lists of fields do not count; of the board only what is above its rows does. Needs a running product as `npm run lighthouse` does. Ends with
 * status 1 when a screen has more than its limit, or more on a phone than on a desktop.
 */
import { join } from 'node:path';
import { runnerImport } from 'vite';

const load = async (name) => (await runnerImport(join(import.meta.dirname, '../e2e', name), { configFile: false })).module;
const { askApi, launch, newVisitor, resize, sendSample, signIn } = await load('browser.ts');

const browser = await launch();
let over = 0;
try {
  const { page } = await newVisitor(browser);
  await signIn(page);
  await sendSample(page, 'A signed self-transfer', true);
  const { proofs } = await askApi(page, '/api/functions/v1/proofs?limit=1');
  const screens = [
    ['/leaderboard', 45, () => page.getByText(/^Showing \d/).waitFor()],
    ['/upload', 90, () => page.getByText('No file selected.').waitFor()],
    ['/profile', 110, () => page.getByRole('heading', { name: 'Proof #1' }).waitFor()],
    [`/verify/${proofs[0].id}`, 80, () => page.getByRole('heading', { level: 1 }).waitFor()],
  ];
  for (const [path, limit, ready] of screens) {
    const counts = [];
    for (const width of [1440, 390]) {
      await resize(page, width);
      await page.goto(path);
      await ready();
      counts.push(await settled(page));
    }
    const [desktop, phone] = counts;
    if (desktop > limit || phone > desktop) over += 1;
    process.stdout.write(`${path}: ${counts.join(' on a desktop, ')} on a phone, of at most ${limit}\n`);
  }
} finally {
  await browser.close();
}
process.exit(over === 0 ? 0 : 1);

/** The number of words once the page has stopped changing. */
async function settled(page) {
  for (let before = -1; ; ) {
    const now = await page.evaluate(countWords);
    if (now === before) return now;
    before = now;
    await page.waitForTimeout(500);
  }
}

/** Runs in the page. */
function countWords() {
  const main = document.querySelector('main');
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  let words = 0;
  while (texts.nextNode()) {
    const parent = texts.currentNode.parentElement;
    const apart = '.sr-only, select, table, noscript, [role=table], [role=grid], [aria-busy], [aria-busy] ~ *';
    const shown = parent.checkVisibility({ visibilityProperty: true }) && !parent.closest(apart);
    if (shown) words += texts.currentNode.data.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  }
  return words;
}
