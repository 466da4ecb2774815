import { expect, test } from 'vitest';
import type { BoardEntry } from './api/board';
import type { FirstPage } from './api/first-page';
import { rowWords } from './features/leaderboard/row-words';
import examples from './features/leaderboard/row-words.json';
import { drawFirstPage, firstPageTemplate } from './first-page';
import { formatCount, formatUsd } from './lib/format';
import { fill } from './testing/fill';

const template = firstPageTemplate();

/** What the server says of a page beside its rows. */
const pageWords = ({ total, price, year }: FirstPage) => ({
  board: total === 0 ? 'empty' : 'filled',
  shown: formatCount(total),
  total: formatCount(total),
  rowcount: total + 1,
  price: price === null ? 'unknown' : 'known',
  dollars: price === null ? '' : formatUsd(price),
  year,
});

const filled = (data: FirstPage) =>
  fill(
    template,
    pageWords(data),
    data.rows.map((entry, index) => ({ index, rowindex: index + 2, ...rowWords(entry, data.price) })),
  );

const HOSTILE = ['</td><script>alert(1)</script>', '" onload="x', "it's & <b>", '{{name}}{{/}}', '{{each}}', '<!--', '\u2028&lt;'];

const rows: BoardEntry[] = [
  ...examples.map(({ row }, index) => Object.assign({ id: `id-${index}`, verified: row.bitcoin_holdings !== null }, row)),
  ...HOSTILE.map((username, index) => ({
    id: `hostile-${index}`,
    username,
    avatar_url: null,
    verified: true,
    bitcoin_holdings: 1,
    rank: 4,
    provider: index % 2 ? 'twitter' : 'github',
  })),
];

const tags = (html: string) => html.split(/(?=<)/);

test.each<[string, FirstPage]>([
  ['a price', { rows, total: rows.length, price: 97_000.5, year: 2026 }],
  ['no price', { rows, total: rows.length, price: null, year: 2027 }],
  ['nobody', { rows: [], total: 0, price: 1, year: 2026 }],
  ['more rows than the page shows', { rows: [...rows, ...rows, ...rows, ...rows, ...rows, ...rows], total: 1234, price: 1, year: 2026 }],
])('the template filled in is what the components draw: %s', (_name, data) => {
  expect(tags(filled({ ...data, rows: data.rows.slice(0, 50) }))).toEqual(tags(drawFirstPage(data)));
});

test('the template has room for every alternative, and no style that the policy forbids', () => {
  for (const place of ['{{stand=first}}', '{{tier=Whale}}', '{{link=none}}', '{{price=known}}', '{{board=empty}}', 'Nobody is on the board yet.']) {
    expect(template).toContain(place);
  }
  expect(template).not.toMatch(/\sstyle=|<script|<x-/);
});
