import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: string[]; failureSummary: string }[] }[];
}

const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules that look at colors: the only thing that differs between the themes. */
export const COLORS = ['color-contrast', 'link-in-text-block'];

/** What axe finds against WCAG 2.2 A and AA, and its best practices, or against these rules only; one line for each place. */
export async function axeViolations(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(AXE); // through the debugger: the page's own policy stays in force
  const result = await page.evaluate<AxeResult>(`axe.run(document, {
    runOnly: ${JSON.stringify(rules ?? EVERYTHING)},
    resultTypes: ['violations'],
  })`);
  return result.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`),
  );
}
