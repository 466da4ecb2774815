import { expect, test } from 'vitest';
import { CHAINS } from './chains';
import sources from './chains.json';

test('every public network has a source, and no other has', () => {
  const known: string[] = CHAINS.map(({ network }) => network);
  expect(Object.keys(sources)).toEqual(known);
  expect(CHAINS.filter((chain) => chain.sources.length === 0).map(({ network }) => network)).toEqual(['regtest']);
});
