import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: string[]; failureSummary: string }[] }[];
}

/** WCAG 2.2 A and AA, and axe's best practices. */
const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules of these about colors: nothing else of a page is another in its other theme. */
const COLORS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** What axe finds; one line for each place. */
export async function axeViolations(page: Page, what: 'all' | 'colors' = 'all'): Promise<string[]> {
  // Through the debugger: the page's own policy stays in force. A document keeps it for its next theme.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  // No page plays sound, which is all that is preloaded for these rules.
  const options = { runOnly: what === 'all' ? ALL : COLORS, resultTypes: ['violations'], preload: false };
  const result = await page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify(options)})`);
  return result.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`),
  );
}
