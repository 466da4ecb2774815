import { afterAll, beforeAll, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, newVisitor, sendSample, signIn } from './browser';
import { check } from './look';
import { OWN_SCREENS } from './screens';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

test('screens of a signed-in user', { timeout: 300_000 }, async () => {
  const visitor = await newVisitor(browser);
  await signIn(visitor.page);
  await sendSample(visitor.page, 'A signed self-transfer');
  for (const screen of OWN_SCREENS) await check(visitor, screen);
  await visitor.context.close();
});
