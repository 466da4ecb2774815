import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { stubNetwork } from '../testing/network';
import { profile } from '../testing/profiles';
import {
  bitcoinPriceQuery,
  boardQuery,
  ilikePattern,
  latestUploadQuery,
  profileQuery,
  proofsQuery,
  rankQuery,
  totalOf,
} from './queries';

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

test('the board is searched, filtered and paged by the server', async () => {
  const calls = stubNetwork(() => ({ body: [profile()], headers: { 'Content-Range': '0-99/150' } }));
  const options = boardQuery({ search: 'sat', verifiedOnly: true });
  const data = await client().fetchInfiniteQuery({ ...options, pages: 2 });
  expect(calls.map(({ url }) => url.searchParams.get('offset'))).toEqual(['0', '100']);
  expect(Object.fromEntries(calls[0]?.url.searchParams ?? [])).toEqual({
    select: '*',
    order: 'bitcoin_holdings.desc.nullslast',
    limit: '100',
    offset: '0',
    username: 'ilike.*sat*',
    verified: 'eq.true',
  });
  expect(data.pages).toHaveLength(2);
  expect(options.getNextPageParam?.({ rows: [], total: 150 }, [], 100, [])).toBeUndefined();
});

test('a profile that does not exist is null, any other failure is named', async () => {
  stubNetwork(() => ({ status: 406, body: { code: 'not-acceptable', message: 'No row.' } }));
  expect(await client().fetchQuery(profileQuery('x'))).toBeNull();
  stubNetwork(() => ({ status: 500, body: { message: 'Database is gone.' } }));
  await expect(client().fetchQuery(profileQuery('x'))).rejects.toThrow('Failed to fetch user profile: Database is gone.');
  await expect(client().fetchQuery(proofsQuery('x'))).rejects.toThrow('Failed to fetch PSBTs: Database is gone.');
});

test.each([
  [{ body: { bitcoin: { usd: 97_000.5 } } }, 97_000.5],
  [{ body: { bitcoin: { usd: '97000' } } }, null],
  [{ body: {} }, null],
  [{ status: 503, body: { message: 'no price' } }, null],
])('price of %j is %s', async (reply, price) => {
  stubNetwork(() => reply);
  expect(await client().fetchQuery(bitcoinPriceQuery())).toBe(price);
});

test('the price is polled every 60 seconds', () => {
  expect(bitcoinPriceQuery().refetchInterval).toBe(60_000);
});

test('a rank that cannot be read is logged', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  stubNetwork(() => ({ status: 500, body: { message: 'Nope' } }));
  await expect(client().fetchQuery(rankQuery('x'))).rejects.toThrow('Nope');
  expect(log).toHaveBeenCalledWith('Failed to fetch rank: Nope');
});

test('the latest upload is a date or null', async () => {
  stubNetwork(() => ({ body: [{ created_at: '2026-01-01T00:00:00Z' }] }));
  expect(await client().fetchQuery(latestUploadQuery('x'))).toBe('2026-01-01T00:00:00Z');
  stubNetwork(() => ({ body: [] }));
  expect(await client().fetchQuery(latestUploadQuery('x'))).toBeNull();
});
