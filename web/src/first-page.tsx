/** Draws the leaderboard as the server sends it. Run by Node while the app is built (build/first-page.ts), never in a browser. */
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { Router } from 'wouter';
import { setFirstPage, type FirstPage } from './api/first-page';
import { App } from './app';
import { EntryRow } from './features/leaderboard/entry-row';
import { preload } from './routes';
import { TemplateContext, type Template } from './ui/places';

const ADDRESS = '/leaderboard';
await preload(ADDRESS);

/** Stands for data of which nothing is known: what it says is replaced by places. */
const ANY: FirstPage = {
  rows: [{ id: '', username: '', avatar_url: null, verified: false, bitcoin_holdings: null, rank: null, provider: '' }],
  total: 1,
  price: null,
  year: 0,
};

const PLACES = new Proxy({}, { get: (_, name) => `{{${String(name)}}}` });

const TEMPLATE: Template = {
  words: <Words extends object>() => PLACES as Words,
  cases: (name, among, draw) =>
    among.map((value) => (
      <x-case key={value} data-name={name} data-value={value}>
        {draw(value)}
      </x-case>
    )),
};

declare module 'react' {
  // oxlint-disable-next-line typescript/no-namespace -- where React looks elements up
  namespace JSX {
    interface IntrinsicElements {
      'x-case': { key: string; 'data-name': string; 'data-value': string; children: ReactNode };
    }
  }
}

/**
 * The page as a template: `{{name}}` is the place of a word, `{{name=value}}…{{/}}` stands only where `name` is that value,
 * and `{{each}}…{{/}}` stands once for each row.
 */
export function firstPageTemplate(): string {
  const page = markup(<App />, ANY, TEMPLATE);
  const [entry] = ANY.rows;
  const row = markup(<EntryRow height={null} index={0} entry={entry} price={null} isYou={false} isTarget={false} />, ANY, TEMPLATE);
  const [before, after, ...more] = page.split(row);
  if (before === undefined || after === undefined || more.length > 0) throw new Error('The row does not stand in the page once.');
  const template = `${before}{{each}}${row}{{/}}${after}`;
  if (/\sstyle=/.test(template)) throw new Error('The content security policy forbids styles in the page.');
  return template;
}

/** The page with this data, as it is in the end. */
export function drawFirstPage(data: FirstPage): string {
  return markup(<App />, data, null);
}

function markup(what: ReactNode, data: FirstPage, template: Template | null): string {
  setFirstPage(data);
  const html = renderToString(
    <TemplateContext value={template}>
      <Router ssrPath={ADDRESS}>{what}</Router>
    </TemplateContext>,
  );
  return html
    .replaceAll(/<x-case data-name="([a-z]+)" data-value="([A-Za-z]+)">/g, '{{$1=$2}}')
    .replaceAll('</x-case>', '{{/}}');
}
