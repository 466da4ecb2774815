import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { stubNetwork } from '../testing/network';
import { boardQuery, boardSummaryQuery, EVERYBODY, publishedProofQuery } from './board';
import { developmentSamplesQuery, holdingsHistoryQuery, proofsQuery, rankQuery } from './own-queries';
import { appConfigQuery, bitcoinPriceQuery, latestUploadQuery, profileQuery, proofChallengeQuery } from './queries';

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

test.each([
  [{ status: 500, statusText: 'Internal Server Error' }, 'Internal Server Error'],
  // HTTP/2 has no reason phrase.
  [{ status: 503 }, 'Service Unavailable'],
])('a rank that is answered with %j is logged once, with the status text', async (init, text) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('fetch', async () => Response.json({ message: 'Nope' }, init));
  const queries = client();
  await expect(queries.fetchQuery(rankQuery('x'))).rejects.toThrow('Nope');
  await expect(queries.fetchQuery(rankQuery('x'))).rejects.toThrow('Nope');
  expect(log.mock.calls).toEqual([[`Failed to fetch rank: ${text}`]]);
});

test.each([
  ['a profile', profileQuery('x')],
  ['proofs', proofsQuery('x')],
  ['a rank', rankQuery('x')],
  ['settings', appConfigQuery()],
  ['a statement', proofChallengeQuery('x')],
  ['the latest upload', latestUploadQuery('x')],
  ['a summary', boardSummaryQuery()],
  ['rows', boardQuery(EVERYBODY)],
  ['a total over time', holdingsHistoryQuery('x')],
  ['samples', developmentSamplesQuery()],
  ['a published proof', publishedProofQuery('x')],
])('%s that is answered with 200 and another body is an error', async (_, query) => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  for (const body of [{}, [{}], 'ok', 1]) {
    stubNetwork(() => ({ body }));
    // oxlint-disable-next-line no-await-in-loop -- one network at a time
    await expect(client().fetchQuery({ ...(query as ReturnType<typeof appConfigQuery>), retry: false }), JSON.stringify(body)).rejects.toThrow('can’t be read');
  }
});

test('the latest upload is a date or null', async () => {
  stubNetwork(() => ({ body: [{ created_at: '2026-01-01T00:00:00Z' }] }));
  expect(await client().fetchQuery(latestUploadQuery('x'))).toBe('2026-01-01T00:00:00Z');
  stubNetwork(() => ({ body: [] }));
  expect(await client().fetchQuery(latestUploadQuery('x'))).toBeNull();
});
