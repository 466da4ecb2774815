/** What only the profile and the upload page of the signed-in user ask. */
import { queryOptions } from '@tanstack/react-query';
import { messageOf } from '../lib/errors';
import { api, ApiError, dataOf, has, hasRows, publicApi } from './client';
import { prefixed, PROFILES_KEY } from './queries';
import type { Proof } from './types';

/** The reason phrases of RFC 9110, which HTTP/2 does not send. */
const PHRASES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

const statusTextOf = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 ? error.statusText || (PHRASES[error.status] ?? `status ${error.status}`) : messageOf(error, 'unknown');

/** The rank as the server computes it now. A failure is only logged; the profile's own rank is shown. */
export function rankQuery(userId: string) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'rank', userId],
    queryFn: async ({ signal, client, queryKey }) => {
      const params = { path: { user_id: userId } };
      try {
        return (await dataOf(api.GET('/api/functions/v1/getUserRank/{user_id}', { params, signal }), has({ rank: 'number?' }))).rank;
      } catch (error) {
        // Once, not after each change of the board.
        if (!signal.aborted && !client.getQueryState(queryKey)?.errorUpdateCount) console.error(`Failed to fetch rank: ${statusTextOf(error)}`);
        throw error;
      }
    },
    retry: false,
  });
}

const PROOFS = hasRows({ id: 'string', created_at: 'string', expires_at: 'string', bitcoin_amount: 'number', active: 'boolean' });

/** The signed-in user's own proofs, newest first. */
export function proofsQuery(userId: string) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'proofs', userId],
    queryFn: async ({ signal }) => {
      const query = { select: '*', user_id: `eq.${userId}`, order: 'created_at.desc' };
      try {
        return (await dataOf(api.GET('/api/rest/v1/psbts', { params: { query }, signal }), PROOFS)) as Proof[];
      } catch (error) {
        throw prefixed('Failed to fetch PSBTs', error, signal);
      }
    },
  });
}

/** The signed-in user's total at each change. */
export function holdingsHistoryQuery(userId: string) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'history', userId],
    queryFn: async ({ signal }) => (await dataOf(api.GET('/api/functions/v1/holdings-history', { signal }), has({ points: 'object' }))).points,
    retry: false,
  });
}

/** Development only: ready-made files to try. */
export function developmentSamplesQuery() {
  return queryOptions({
    queryKey: ['development-samples'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/functions/v1/development-samples', { signal }), hasRows({ id: 'string', psbt_base64: 'string' })),
    staleTime: Infinity,
  });
}

/** Development only: how many sample holders the board has. */
export function sampleHoldersQuery() {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'sample-holders'],
    queryFn: async ({ signal }) => (await dataOf(publicApi.GET('/api/functions/v1/sample-holders', { signal }), has({ count: 'number' }))).count,
  });
}
