import { expect, test } from 'vitest';
import type { BoardEntry } from '../../api/board';
import examples from './row-words.json';
import { rowWords } from './row-words';

test.each(examples)('$words.name: the words of a row', ({ row, price, words }) => {
  const entry: BoardEntry = { id: 'an-id', verified: row.bitcoin_holdings !== null, ...row };
  expect(rowWords(entry, price)).toEqual({ id: 'an-id', username: row.username, ...words });
});
