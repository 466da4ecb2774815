import { expect, test } from 'vitest';
import type { BoardEntry } from './api/board';
import type { FirstPage } from './api/first-page';
import { headWords, tierWords } from './features/leaderboard/head-words';
import { rowWords } from './features/leaderboard/row-words';
import examples from './features/leaderboard/row-words.json';
import { drawFirstPage, drawProse, firstPageTemplate, PROSE, proseTemplate } from './first-page';
import { formatCount, formatUsd } from './lib/format';
import { fill } from './testing/fill';

const template = firstPageTemplate();

/** What the server says of a page beside its rows. */
const pageWords = ({ summary, price, stand_in, year }: FirstPage) => ({
  board: summary.people === 0 ? 'empty' : 'filled',
  shown: formatCount(summary.people),
  total: formatCount(summary.people),
  rowcount: summary.people + 1,
  ...headWords(summary),
  ...tierWords(summary),
  origin: stand_in ? 'standin' : 'market',
  price: price === null ? 'unknown' : 'known',
  dollars: price === null ? '' : formatUsd(price),
  year,
});

const filled = (data: FirstPage) =>
  fill(
    template,
    pageWords(data),
    data.rows.map((entry, index) => ({ index, rowindex: index + 2, ...rowWords(entry, data.price, data.today) })),
  );

const HOSTILE = ['</td><script>alert(1)</script>', '" onload="x', "it's & <b>", '{{name}}{{/}}', '{{each}}', '<!--', '\u2028&lt;'];

const rows: BoardEntry[] = [
  ...examples.map(({ row }, index) => {
    const shown_as: BoardEntry['shown_as'] = row.shown_as === 'range' ? 'range' : 'exact';
    return Object.assign({ id: `id-${index}`, verified: row.bitcoin_holdings !== null }, row, { shown_as });
  }),
  ...HOSTILE.map((username, index) => ({
    id: `hostile-${index}`,
    username,
    avatar_url: null,
    verified: true,
    bitcoin_holdings: 1,
    shown_as: 'exact' as const,
    rank: 4,
    last_verified: '2026-11-22T10:00:00Z',
    published_sats: null,
    provider: index % 2 ? 'twitter' : 'github',
    named: true,
  })),
];

const summary = (people: number, holders = people) => ({
  people,
  holders,
  bitcoin: 21_413.00017,
  tiers: [
    { name: 'Whale', holders: 11 },
    { name: 'Shark', holders: 0 },
    { name: 'Dolphin', holders: 1 },
    { name: 'Fish', holders: 2 },
    { name: 'Crab', holders: 40 },
    { name: 'Plankton', holders: 1_302 },
  ],
  block: { height: 924_816, since: null },
});

const tags = (html: string) => html.split(/(?=<)/);

test.each<[string, FirstPage]>([
  ['a price', { rows, summary: summary(rows.length), price: 97_000.5, stand_in: false, today: 20_779, year: 2026 }],
  ['no price', { rows, summary: { ...summary(rows.length, 1), block: null }, price: null, stand_in: false, today: 20_819, year: 2027 }],
  ['nobody', { rows: [], summary: summary(0), price: 1, stand_in: true, today: 20_779, year: 2026 }],
  ['more rows than the page shows', { rows: [...rows, ...rows, ...rows, ...rows, ...rows, ...rows], summary: summary(1234), price: 1, stand_in: true, today: 20_779, year: 2026 }],
])('the template filled in is what the components draw: %s', (_name, data) => {
  expect(tags(filled({ ...data, rows: data.rows.slice(0, 50) }))).toEqual(tags(drawFirstPage(data)));
});

test('the template has room for every alternative, and no style that the policy forbids', () => {
  for (const place of ['{{stand=first}}', '{{tier=Whale}}', '{{link=none}}', '{{price=known}}', '{{board=empty}}', 'Nobody is on the board yet.']) {
    expect(template).toContain(place);
  }
  expect(template).not.toMatch(/\sstyle=|<script|<x-/);
});

const LEGAL = {
  company: 'An "Example" & Sons',
  postal_address: '1 <Street>',
  country: '{{year}}',
  privacy_email: 'privacy@reserves.example',
  contact_email: 'hello@reserves.example',
  updated: 'November 22, 2026',
};

test.each(PROSE.flatMap((address) => (['mainnet', 'regtest'] as const).map((network) => [address, network] as const)))(
  'the template of %s filled in is what the components draw on %s',
  (address, network) => {
    const { postal_address, privacy_email, contact_email, ...same } = LEGAL;
    const words = { ...same, address: postal_address, privacyEmail: privacy_email, contactEmail: contact_email, network, year: 2031 };
    const html = fill(proseTemplate(address), words, []);
    expect(tags(html)).toEqual(tags(drawProse(address, { year: 2031, network, legal: LEGAL })));
    expect(html).toContain('<h1');
    expect(html.replaceAll('<!-- -->', '')).toContain('© 2031');
    expect(html).not.toContain('…');
  },
);
