import { expect, test } from 'vitest';
import type { BoardEntry } from '../../api/board';
import { profile } from '../../testing/profiles';
import examples from './row-words.json';
import { rowWords } from './row-words';

/** Jan 1, 2027. */
const TODAY = 20_819;

test.each(examples)('$words.name: the words of a row', ({ row, price, words }) => {
  const entry: BoardEntry = { id: 'an-id', verified: row.bitcoin_holdings !== null, ...row, shown_as: row.shown_as === 'range' ? 'range' : 'exact' };
  const { ends, ...said } = rowWords(entry, price, TODAY);
  expect(said).toEqual(words);
  expect(ends === null || ends.startsWith('ends')).toBe(true);
});

test.each([
  [84, null],
  [85, 'ends in 5d'],
  [90, 'ends today'],
])('a proof of %d days ago: %s', (days, ends) => {
  const last = new Date((TODAY - days) * 86_400_000).toISOString();
  expect(rowWords(profile({ last_verified: last }), null, TODAY).ends).toBe(ends);
});
