import { member } from '../lib/member';
import { queryOptions } from '@tanstack/react-query';
import { api, ApiError, dataOf, has, hasRows, oneRowApi, publicApi } from './client';
import { firstPage } from './first-page';
import { select } from './select';
import type { Profile, Proof } from './types';

/** Queries under this key are refetched after each live event. */
export const PROFILES_KEY = ['profiles'] as const;
/** The mutation that sends a file. */
export const SUBMIT_KEY = ['submit-proof'] as const;
const PROFILE = has({ id: 'string', username: 'string', provider: 'string', verified: 'boolean', bitcoin_holdings: 'number?', rank: 'number?' });
const CREATED = select<Proof>()('created_at');

/** One profile; null when there is none. */
export function profileQuery(id: string) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'one', id],
    queryFn: async ({ signal }): Promise<Profile | null> => {
      try {
        const query = { select: '*', id: `eq.${id}` };
        return (await dataOf(oneRowApi.GET('/api/rest/v1/profiles', { params: { query }, signal }), PROFILE)) as Profile;
      } catch (error) {
        if (error instanceof ApiError && error.status === 406) return null;
        throw prefixed('Failed to fetch user profile', error, signal);
      }
    },
  });
}

/** When the signed-in user last uploaded a proof that was verified; null when never. */
export function latestUploadQuery(userId: string) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'latest-upload', userId],
    queryFn: async ({ signal }) => {
      const query = {
        select: CREATED.columns,
        user_id: `eq.${userId}`,
        verified: 'eq.true',
        order: 'created_at.desc',
        limit: 1,
      };
      const [latest] = CREATED.rows(await dataOf(api.GET('/api/rest/v1/psbts', { params: { query }, signal }), hasRows({ created_at: 'string' })));
      return latest?.created_at ?? null;
    },
  });
}

/** Dollars for one BTC, and whether the price is a stand-in. */
export interface Price {
  usd: number;
  standIn: boolean;
}

/** The price of one BTC in dollars, polled every 60 seconds; any failure or odd shape is an unknown price. */
export function bitcoinPriceQuery() {
  return queryOptions({
    queryKey: ['bitcoin-price'],
    queryFn: async ({ signal }): Promise<Price | null> => {
      try {
        const prices = await dataOf(publicApi.GET('/api/functions/v1/bitcoin-price', { signal }));
        const usd = member(member(prices, 'bitcoin'), 'usd');
        return typeof usd === 'number' && Number.isFinite(usd) ? { usd, standIn: member(prices, 'stand_in') === true } : null;
      } catch {
        return null;
      }
    },
    // From the page that the server sent.
    initialData: priceOfFirstPage,
    initialDataUpdatedAt: performance.timeOrigin,
    refetchInterval: 60_000,
    staleTime: 60_000,
  });
}

function priceOfFirstPage(): Price | undefined {
  const page = firstPage();
  return page?.price == null ? undefined : { usd: page.price, standIn: page.stand_in };
}

/** The server's settings; they never change while a page is open. */
export function appConfigQuery() {
  return queryOptions({
    queryKey: ['app-config'],
    queryFn: ({ signal }) => dataOf(publicApi.GET('/api/functions/v1/app-config', { signal }), has({ network: 'string' })),
    staleTime: Infinity,
  });
}

/** The pause before a failed statement is fetched again. */
const STATEMENT_RETRY_MS = 5_000;

/** The account's statement, retried until it arrives. */
export function proofChallengeQuery(userId: string) {
  return queryOptions({
    queryKey: ['proof-challenge', userId],
    queryFn: ({ signal }) => dataOf(api.GET('/api/functions/v1/proof-challenge', { signal }), has({ statement: 'string', output_script: 'string', lock_time: 'number' })),
    retry: false,
    refetchInterval: ({ state }) => (state.data === undefined ? STATEMENT_RETRY_MS : false),
  });
}

export function prefixed(prefix: string, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || !(error instanceof ApiError)) return error;
  const message = error.message && `${prefix}: ${error.message}`;
  return new ApiError(message, error.code, error.status, error.body);
}
