import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { stubNetwork } from '../../testing/network';
import { profile } from '../../testing/profiles';
import { open } from '../../testing/render';
import { Neighbors } from './neighbors';

/** A board of this many holders, of whom one is the reader. */
function show(holders: number, own: number) {
  const rows = Array.from({ length: holders }, (_, at) => profile({ id: at === own ? 'me' : `p${at}`, username: `holder_${at + 1}`, rank: at + 1, bitcoin_holdings: 100 - at }));
  stubNetwork(({ url }) => (url.searchParams.has('id') ? { body: rows[own] } : { body: rows, headers: { 'content-range': `0-${holders - 1}/${holders}` } }));
  open(<Neighbors userId="me" />);
}

const listed = async () => (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent?.replace(/^(#\d+)./, '$1 '));

test.each([
  [5, 2, ['#2 @holder_299.00000000', '#3 @holder_3(you)98.00000000', '#4 @holder_497.00000000']],
  [5, 0, ['#1 @holder_1(you)100.00000000', '#2 @holder_299.00000000', '#3 @holder_398.00000000']],
  [5, 4, ['#3 @holder_398.00000000', '#4 @holder_497.00000000', '#5 @holder_5(you)96.00000000']],
  [2, 1, ['#1 @holder_1100.00000000', '#2 @holder_2(you)99.00000000']],
])('on a board of %i, the holder at place %i sees the rows around', async (holders, own, expected) => {
  show(holders, own);
  expect(await listed()).toEqual(expected);
});
