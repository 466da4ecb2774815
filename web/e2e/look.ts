import { join } from 'node:path';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { axeViolations } from './accessibility';
import { ARTIFACTS, resize, THEMES, WIDTHS, type Visitor } from './browser';

export interface Screen {
  name: string;
  open: (page: Page) => Promise<unknown>;
  /** A text that shows when the screen is complete. */
  ready: (page: Page) => Promise<unknown>;
}

/** By how many pixels a page is wider than its window. */
export const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** Whether to keep pictures of all screens, for people who look at them. */
const PICTURES = Boolean(process.env.PICTURES);

/**
 * Looks at what is on show, at each of these widths: whether it is complete, and whether it scrolls sideways; in both themes by axe, which
 * `./test` asks only at the first and the last of them.
 */
export async function look({ page }: Visitor, { name, ready }: Pick<Screen, 'name' | 'ready'>, widths = [320, ...WIDTHS]): Promise<void> {
  const asked = process.env.LONG_RUNS || PICTURES ? widths : [widths[0], widths.at(-1)];
  for (const width of widths) {
    await resize(page, width);
    await ready(page);
    await expect.poll(() => overflowOf(page), { message: `${name} scrolls sideways, ${width} px wide` }).toBeLessThanOrEqual(0);
    if (!asked.includes(width)) continue;
    for (const [place, theme] of THEMES.entries()) {
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate(async () => {
        window.scrollTo(0, 0); // the header sticks, and a full-page picture starts at the top
        await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
      });
      if (PICTURES) await page.screenshot({ path: join(ARTIFACTS, `${name}-${width}-${theme}.png`), fullPage: true });
      expect(await axeViolations(page, place === 0 ? 'all' : 'colors'), `${name}, ${width} px wide, ${theme}`).toEqual([]);
    }
  }
}

/** Opens a screen and looks at it. */
export async function check(visitor: Visitor, screen: Screen): Promise<void> {
  const { page, complaints } = visitor;
  await screen.open(page);
  await look(visitor, screen);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(complaints.splice(0), screen.name).toEqual([]);
}
