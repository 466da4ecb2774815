/** Draws the leaderboard and the pages of prose as the server sends them. Run by Node while the app is built (build/first-page.ts), never in a browser. */
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { Router } from 'wouter';
import { setFirstPage, type FirstPage, type ProseData } from './api/first-page';
import { App } from './app';
import { EntryRow } from './features/leaderboard/entry-row';
import { preload } from './routes';
import { TemplateContext, type Template } from './ui/places';

const ADDRESS = '/leaderboard';
/** Pages that are readable without scripts. */
export const PROSE = ['/how-it-works', '/privacy-policy', '/terms-of-service'];
for (const address of [ADDRESS, ...PROSE]) await preload(address);

/** Stands for data of which nothing is known: what it says is replaced by places. */
const ANY: FirstPage = {
  rows: [
    {
      id: '',
      username: '',
      avatar_url: null,
      verified: false,
      bitcoin_holdings: null,
      shown_as: 'exact',
      rank: null,
      last_verified: null,
      provider: '',
      named: true,
      published_sats: null,
    },
  ],
  summary: { people: 1, holders: 0, bitcoin: 0, tiers: [], block: null },
  price: null,
  stand_in: false,
  today: 0,
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
  setFirstPage(ANY);
  const page = markup(<App />, ADDRESS, TEMPLATE);
  const [entry] = ANY.rows;
  const row = markup(<EntryRow index={0} entry={entry} price={null} today={0} isYou={false} isTarget={false} keys={false} />, ADDRESS, TEMPLATE);
  const [before, after, ...more] = page.split(row);
  if (before === undefined || after === undefined || more.length > 0) throw new Error('The row does not stand in the page once.');
  const template = `${before}{{each}}${row}{{/}}${after}`;
  return allowed(template);
}

/** A page of prose as a template. */
export function proseTemplate(address: string): string {
  setFirstPage(null);
  return allowed(markup(<App />, address, TEMPLATE));
}

function allowed(template: string): string {
  if (/\sstyle=/.test(template)) throw new Error('The content security policy forbids styles in the page.');
  return template;
}

/** The page with this data, as it is in the end. */
export function drawFirstPage(data: FirstPage): string {
  setFirstPage(data);
  return markup(<App />, ADDRESS, null);
}

/** A page of prose with this data, as the app takes it over. */
export function drawProse(address: string, data: ProseData): string {
  setFirstPage(null, data);
  return markup(<App />, address, null);
}

function markup(what: ReactNode, address: string, template: Template | null): string {
  const html = renderToString(
    <TemplateContext value={template}>
      <Router ssrPath={address}>{what}</Router>
    </TemplateContext>,
  );
  return html
    .replaceAll(/<x-case data-name="([a-z]+)" data-value="([A-Za-z]+)">/g, '{{$1=$2}}')
    .replaceAll('</x-case>', '{{/}}');
}
