/**
 * npm run presses: how long pages take to answer a press or a key at a fourth of the processor's speed, as Interaction to Next Paint counts it.
 * Needs a running product as `npm run lighthouse` does. Ends with status 1 when the worst takes 200 ms or more.
 */
import { join } from 'node:path';
import { runnerImport } from 'vite';

const load = async (name) => (await runnerImport(join(import.meta.dirname, '../e2e', name), { configFile: false })).module;
const { askApi, launch, newVisitor, sendSample, signIn, threeHolders } = await load('browser.ts');
const LIMIT_MS = 200;
const SLOWED = 4;

/** The page of a proof that the visitor publishes first. */
const PROOF = 'the published proof';
const RECEIPT = join(import.meta.dirname, '../src/lib/board-log/fixture/row.tlog-proof');

const button = (name) => (page) => page.getByRole('button', { name }).first().click();
const PAGES = [
  {
    path: '/how-it-works',
    presses: [
      button('Switch to dark theme'),
      async (page) => {
        await page.getByRole('banner').getByRole('button', { name: 'Profile' }).click();
        await page.getByRole('menuitem').first().waitFor(); // its script loads with the first press
      },
      (page) => page.keyboard.press('ArrowDown'),
      (page) => page.keyboard.press('Escape'),
      (page) => page.getByRole('link', { name: 'Privacy Policy' }).click(),
    ],
  },
  {
    path: '/upload',
    presses: [
      (page) => page.getByLabel('My wallet is').selectOption('sparrow'),
      (page) => page.getByText('What is a PSBT file?').click(),
      (page) => page.getByLabel('Paste the file as text').click(),
      (page) => page.keyboard.type('cHNidP8', { delay: 60 }),
      (page) => page.getByText('Samples of the development chain').click(),
      button('Use This Sample: A signed self-transfer'),
      (page) => page.getByRole('link', { name: 'How It Works' }).first().click(),
    ],
  },
  {
    path: '/profile',
    presses: [
      (page) => page.getByText('data, deletion').click(),
      button('Delete Account'),
      (page) => page.keyboard.press('Escape'),
      (page) => page.getByText('Plan', { exact: true }).click(),
      (page) => page.getByRole('link', { name: 'Plans' }).click(),
    ],
  },
  {
    path: '/leaderboard',
    presses: [
      (page) => page.keyboard.press('j'),
      (page) => page.keyboard.press('ArrowDown'),
      (page) => page.keyboard.press('ArrowRight'),
      (page) => page.getByRole('region', { name: 'Leaderboard rows' }).focus(),
      (page) => page.keyboard.press('End'),
      (page) => page.keyboard.press('Home'),
      button(/Fish/), // a bar of the tiers
      button(/Fish/),
      (page) => page.getByPlaceholder('Search by username...').click(),
      (page) => page.keyboard.type('user', { delay: 60 }),
      button('Filters'),
      (page) => page.getByRole('checkbox', { name: 'Verified users only' }).click(),
      (page) => page.keyboard.press('Escape'),
      (page) => page.getByPlaceholder('Search by username...').fill(''),
      (page) => page.getByRole('link', { name: /^View Profile of / }).first().click(),
    ],
  },
  {
    path: '/verify',
    presses: [
      button('Switch to light theme'), // /how-it-works has left it dark
      (page) => page.getByLabel('Choose or drop a proof or a receipt').setInputFiles(RECEIPT),
      (page) => page.getByLabel('A key of the log').click(),
      (page) => page.keyboard.type('127.0.0.1:8080/log', { delay: 60 }),
      button('Check with This Key'),
    ],
  },
  {
    path: PROOF,
    presses: [
      button('Check the coins'),
      (page) => page.getByText('Who signed, and the file').click(),
      button('Download the Proof'),
    ],
  },
  {
    path: '/login',
    signedOut: true,
    presses: [
      button('Switch to dark theme'),
      (page) => page.getByRole('link', { name: 'Leaderboard' }).first().focus(),
      (page) => page.keyboard.press('Tab'),
      (page) => page.getByRole('main').getByRole('link', { name: 'terms of service' }).click(),
      (page) => page.goBack(),
    ],
  },
];

/** Notes what each press takes, and slows the processor down on demand. */
async function prepare(visitor) {
  await visitor.page.addInitScript(() => {
    const presses = [];
    Object.assign(window, { presses });
    new PerformanceObserver((list) => {
      for (const { name, duration, interactionId } of list.getEntries()) if (interactionId > 0) presses.push({ name, duration });
    }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  });
  visitor.debug = await visitor.context.newCDPSession(visitor.page);
}

const browser = await launch();
let worst = 0;
try {
  await threeHolders(browser);
  const holder = await newVisitor(browser);
  await signIn(holder.page);
  await sendSample(holder.page, 'A signed self-transfer', true);
  const { proofs } = await askApi(holder.page, '/api/functions/v1/proofs?limit=1');
  const stranger = await newVisitor(browser);
  for (const visitor of [holder, stranger]) await prepare(visitor);
  for (const { path, presses, signedOut } of PAGES) {
    const { page, debug } = signedOut ? stranger : holder;
    await debug.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await page.goto(path === PROOF ? `/verify/${proofs[0].id}` : path);
    await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {}); // the stream of changes stays open
    await debug.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
    const took = [];
    for (const press of presses) {
      await press(page);
      await page.waitForTimeout(500); // the next press is another one
      took.push(await page.evaluate(() => Math.max(0, ...window.presses.splice(0).map(({ duration }) => duration))));
    }
    worst = Math.max(worst, ...took);
    process.stdout.write(`${path}: ${took.join(', ')} ms\n`);
  }
} finally {
  await browser.close();
}
process.exit(worst < LIMIT_MS ? 0 : 1);
