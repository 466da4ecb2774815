import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { stubNetwork } from '../testing/network';
import { profile } from '../testing/profiles';
import { changeProfile } from './mutations';
import { connectSession } from './client';
import { boardPageQuery, boardPlaceQuery, ilikePattern, ownPlaceQuery, totalOf } from './board';

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

test.each([
  ['sato', 'ilike.*sato*'],
  ['a_b', String.raw`ilike.*a\_b*`],
  ['100%', String.raw`ilike.*100\%*`],
  ['*', String.raw`ilike.*\**`],
  ['\\', String.raw`ilike.*\\*`],
])('searching %s stands for itself', (search, pattern) => expect(ilikePattern(search)).toBe(pattern));

test('the total is read from Content-Range', () => {
  expect(totalOf(new Headers({ 'Content-Range': '0-99/1234' }))).toBe(1234);
  expect(totalOf(new Headers({ 'Content-Range': '*/0' }))).toBe(0);
  expect(totalOf(new Headers())).toBe(0);
});

test('the board is searched, filtered and paged by the server, and counted once', async () => {
  const calls = stubNetwork(() => ({ body: [profile()], headers: { 'Content-Range': '0-99/150' } }));
  const filter = { search: '@sat', verifiedOnly: true, tier: 'Shark' as const };
  const queries = client();
  const first = await queries.fetchQuery(boardPageQuery(filter, 0));
  await queries.fetchQuery(boardPageQuery(filter, 7));
  expect(first.total).toBe(150);
  const asked = calls[0]?.url.searchParams ?? new URLSearchParams();
  expect(asked.getAll('bitcoin_holdings')).toEqual(['gte.50', 'lt.100']);
  asked.delete('bitcoin_holdings');
  expect(Object.fromEntries(asked)).toEqual({
    select: 'id,username,avatar_url,verified,bitcoin_holdings,shown_as,rank,last_verified,provider,named,published_sats',
    order: 'bitcoin_holdings.desc.nullslast',
    limit: '100',
    offset: '0',
    username: 'ilike.*sat*',
    provider: 'eq.twitter',
    verified: 'eq.true',
  });
  expect(calls.map(({ headers }) => headers.get('Prefer'))).toEqual(['count=exact', null]);
  expect(calls[1]?.url.searchParams.get('offset')).toBe('700');
});

// `npx vitest run src/api/board.test.ts -u` writes these words again.
test('an audit asks for the list in the very words of this page', async () => {
  const calls = stubNetwork(() => ({ body: [profile()], headers: { 'Content-Range': '0-99/150' } }));
  const everybody = { search: '', verifiedOnly: false, tier: null };
  await client().fetchQuery(boardPageQuery(everybody, 0));
  const [, words] = calls[0]!.url.search.match(/^\?(.+)&offset=0$/)!;
  await expect(words).toMatchFileSnapshot('../../../server/audit/src/list-query.txt');
});

test('the rows that stand in the page are the first page, and no request follows', async () => {
  const snapshot = JSON.stringify({
    rows: [profile({ username: 'from-the-page' })],
    summary: { people: 1234, holders: 1, bitcoin: 1.5, tiers: [], block: null },
    price: null,
    stand_in: false,
    number: 7,
  });
  vi.stubGlobal('document', { getElementById: (id: string) => (id === 'first-page' ? { textContent: snapshot } : null) });
  vi.resetModules();
  const fresh = await import('./board');
  const queries = client();
  const everybody = { search: '', verifiedOnly: false, tier: null };
  const first = fresh.boardPageQuery(everybody, 0);
  const query = queries.getQueryCache().build(queries, queries.defaultQueryOptions(first));
  expect(query.state.data).toMatchObject({ filter: everybody, total: 1234, number: 7, rows: [{ username: 'from-the-page' }] });
  expect(query.isStaleByTime(3_600_000)).toBe(false);
  const summary = queries.getQueryCache().build(queries, queries.defaultQueryOptions(fresh.boardSummaryQuery()));
  expect(summary.state.data).toMatchObject({ people: 1234 });
  expect(fresh.boardPageQuery(everybody, 1)).not.toHaveProperty('initialData');
  expect(fresh.boardPageQuery({ search: 'x', verifiedOnly: false, tier: null }, 0)).not.toHaveProperty('initialData');
});

test('rows that do not show yet what the page has changed are asked for again', async () => {
  vi.useFakeTimers();
  const numbers = ['6', '6', '7'];
  const calls = stubNetwork(({ method }) => {
    const number = method === 'GET' ? (numbers.shift() ?? '7') : '7';
    return { body: [], headers: { 'Board-Number': number } };
  });
  connectSession({ token: async () => 'token', lives: async () => false });
  await changeProfile('mira', { shown_as: 'exact' });
  const rows = client().fetchQuery(boardPageQuery({ search: '', verifiedOnly: false, tier: null }, 1));
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await rows).number).toBe(7);
  expect(calls.map(({ method }) => method)).toEqual(['PATCH', 'GET', 'GET', 'GET']);
  vi.useRealTimers();
});

/** A server whose board is these rows. */
function serve(board: ReturnType<typeof profile>[]) {
  return stubNetwork(({ url: { searchParams } }) => {
    const id = searchParams.get('id')?.replace('eq.', '');
    if (id !== undefined) return { body: board.filter((row) => row.id === id) };
    const name = searchParams.get('username')?.replace('eq.', '');
    if (name !== undefined) return { body: board.filter(({ username }) => username === name) };
    const offset = Number(searchParams.get('offset'));
    return { body: board.slice(offset, offset + 100) };
  });
}

test('a name leads to its place, among those who share its rank too', async () => {
  // Everybody from the 151st to the 260th shares rank 151.
  const board = Array.from({ length: 300 }, (_, index) =>
    profile({ id: `${index}`, username: `name${index}`, rank: index < 150 ? index + 1 : index < 260 ? 151 : index + 1 }),
  );
  const calls = serve(board);
  const place = await client().fetchQuery(boardPlaceQuery('name255'));
  expect(place?.index).toBe(255);
  expect(calls.map(({ url }) => url.searchParams.get('offset'))).toEqual([null, '100', '200']);
  expect(await client().fetchQuery(ownPlaceQuery('255'))).toMatchObject({ entry: { username: 'name255' }, index: 255 });
});

test('a bare name is the one from X; others say where they are from', async () => {
  const board = [profile({ id: 'g', provider: 'github', rank: 1 }), profile({ id: 'x', rank: 2 })];
  serve(board);
  expect((await client().fetchQuery(boardPlaceQuery('satoshi')))?.entry.id).toBe('x');
  expect(await client().fetchQuery(boardPlaceQuery('github:satoshi'))).toMatchObject({ entry: { id: 'g' }, index: 0 });
  expect(await client().fetchQuery(boardPlaceQuery('google:satoshi'))).toBeNull();
  expect(await client().fetchQuery(boardPlaceQuery('nobody'))).toBeNull();
});

test('without proven holdings there is no place', async () => {
  serve([profile({ rank: null, bitcoin_holdings: null, verified: false })]);
  expect(await client().fetchQuery(boardPlaceQuery('satoshi'))).toMatchObject({ index: null });
});
