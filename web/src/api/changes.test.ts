import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { stubNetwork } from '../testing/network';
import { profile } from '../testing/profiles';
import { boardPageQuery, type BoardEntry } from './board';
import { catchUp } from './changes';
import { profileQuery, proofsQuery } from './queries';

const EVERYBODY = { search: '', verifiedOnly: false, tier: null };
const ROWS = [9, 7, 5, 3].map((amount, index) =>
  profile({ id: `id-${amount}`, username: `holds ${amount}`, bitcoin_holdings: amount, rank: index + 1 }),
);
const at = (index: number, bitcoin_holdings: number) => ({ index, bitcoin_holdings });

/** A page that shows the board, of whose number 4 the answers are; `changes` is what the server says of it. */
async function shown(changes: unknown, also: string[] = []) {
  const calls = stubNetwork(({ url, headers }) => {
    if (url.pathname.endsWith('/board-changes')) return { body: changes, status: changes ? 200 : 500 };
    if (url.pathname.endsWith('/psbts')) return { body: [] };
    if (headers.get('Accept')?.includes('object')) return { body: ROWS[3] };
    return { body: ROWS, headers: { 'Content-Range': '0-3/4', 'Board-Number': '4' } };
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const page = new QueryObserver(client, boardPageQuery(EVERYBODY, 0));
  page.subscribe(() => undefined);
  await client.fetchQuery(boardPageQuery(EVERYBODY, 0));
  if (also.includes('profile')) {
    await client.fetchQuery(profileQuery('id-3'));
    await client.fetchQuery(proofsQuery('id-3'));
  }
  calls.length = 0;
  return { calls, client, rows: () => page.getCurrentResult().data };
}

const names = (rows: BoardEntry[] | undefined) => rows?.map(({ username, rank }) => `${rank} ${username}`);

test('one question brings the rows on show up to date', async () => {
  const first = { ...ROWS[2], bitcoin_holdings: 8, rank: 2 };
  const moves = [{ number: 5, id: 'id-5', from: at(2, 5), to: at(1, 8), renamed: false }];
  const { calls, client, rows } = await shown({ number: 5, total: 4, moves, rows: [first] }, ['profile']);
  await catchUp(client);
  expect(calls.map(({ url }) => url.pathname + url.search)).toEqual(['/api/functions/v1/board-changes?since=4']);
  expect(names(rows()?.rows)).toEqual(['1 holds 9', '2 holds 5', '3 holds 7', '4 holds 3']);
  expect(rows()).toMatchObject({ number: 5, total: 4 });
});

test.each([
  ['too much has changed', { number: 900, total: 4, moves: null, rows: [] }],
  ['nothing can be said', null],
])('when %s, everything on show is fetched again', async (_, changes) => {
  const { calls, client } = await shown(changes);
  await catchUp(client);
  expect(calls.filter(({ url }) => url.pathname.endsWith('/profiles'))).toHaveLength(1);
});

test('what is not told with the changes is fetched again, and nothing else', async () => {
  const mine = { ...ROWS[3], bitcoin_holdings: 4 };
  const moves = [{ number: 5, id: 'id-3', from: at(3, 3), to: at(3, 4), renamed: false }];
  const { client, rows } = await shown({ number: 5, total: 4, moves, rows: [mine] }, ['profile']);
  await catchUp(client);
  expect(rows()?.rows[3]).toMatchObject({ bitcoin_holdings: 4, rank: 4 });
  const isStale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;
  expect(isStale(profileQuery('id-3').queryKey)).toBe(true);
  expect(isStale(proofsQuery('id-3').queryKey)).toBe(true);
});
