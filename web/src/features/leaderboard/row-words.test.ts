import { expect, test } from 'vitest';
import type { BoardEntry } from '../../api/board';
import examples from './row-words.json';
import { rowWords } from './row-words';

/** Jan 1, 2027. */
const TODAY = 20_819;

test.each(examples)('$words.name: the words of a row', ({ row, price, words }) => {
  const entry: BoardEntry = { id: 'an-id', verified: row.bitcoin_holdings !== null, ...row, shown_as: row.shown_as === 'range' ? 'range' : 'exact' };
  expect(rowWords(entry, price, TODAY)).toEqual(words);
});
