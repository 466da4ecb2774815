import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { stubNetwork } from '../testing/network';
import { proofsQuery, rankQuery } from './own-queries';
import { bitcoinPriceQuery, latestUploadQuery, profileQuery } from './queries';

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

test('a profile that does not exist is null, any other failure is named', async () => {
  stubNetwork(() => ({ status: 406, body: { code: 'not-acceptable', message: 'No row.' } }));
  expect(await client().fetchQuery(profileQuery('x'))).toBeNull();
  stubNetwork(() => ({ status: 500, body: { message: 'Database is gone.' } }));
  await expect(client().fetchQuery(profileQuery('x'))).rejects.toThrow('Failed to fetch user profile: Database is gone.');
  await expect(client().fetchQuery(proofsQuery('x'))).rejects.toThrow('Failed to fetch PSBTs: Database is gone.');
});

test.each([
  [{ body: { bitcoin: { usd: 97_000.5 }, stand_in: false } }, { usd: 97_000.5, standIn: false }],
  [{ body: { bitcoin: { usd: 1 }, stand_in: true } }, { usd: 1, standIn: true }],
  [{ body: { bitcoin: { usd: '97000' } } }, null],
  [{ body: {} }, null],
  [{ status: 503, body: { message: 'no price' } }, null],
])('price of %j is %j', async (reply, price) => {
  stubNetwork(() => reply);
  expect(await client().fetchQuery(bitcoinPriceQuery())).toEqual(price);
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
