import { join } from 'node:path';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { axeViolations } from './accessibility';
import { ARTIFACTS, THEMES, type Visitor } from './browser';

export interface Screen {
  name: string;
  open: (page: Page) => Promise<unknown>;
  /** What stands on the screen when it is complete. */
  ready: (page: Page) => Promise<unknown>;
}

/** By how many pixels a page is wider than its window. */
export const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** Looks at what is on show, in both themes: a picture, axe, and whether it scrolls sideways. */
export async function look({ page }: Visitor, name: string, width: number): Promise<void> {
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    await page.evaluate(async () => {
      window.scrollTo(0, 0); // the header sticks, and a full-page picture starts at the top
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    });
    await page.screenshot({ path: join(ARTIFACTS, `${name}-${width}-${theme}.png`), fullPage: true });
    expect(await axeViolations(page), `${name}, ${theme}`).toEqual([]);
  }
  expect(await overflowOf(page), `${name} scrolls sideways`).toBeLessThanOrEqual(0);
}

/** Opens a screen and looks at it. */
export async function check(visitor: Visitor, screen: Screen, width: number): Promise<void> {
  const { page, complaints } = visitor;
  await screen.open(page);
  await screen.ready(page);
  await look(visitor, screen.name, width);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(complaints.splice(0), screen.name).toEqual([]);
}
