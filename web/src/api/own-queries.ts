/** What only the profile and the upload page of the signed-in user ask. */
import { queryOptions } from '@tanstack/react-query';
import { messageOf } from '../lib/errors';
import { api, dataOf } from './client';
import { prefixed, PROFILES_KEY } from './queries';
import type { Proof } from './types';

/** The rank as the server computes it now. A failure is only logged; the profile's own rank is shown. */
export function rankQuery(userId: string) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'rank', userId],
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId } };
      try {
        return (await dataOf(api.GET('/api/functions/v1/getUserRank/{user_id}', { params, signal }))).rank;
      } catch (error) {
        if (!signal.aborted) console.error(`Failed to fetch rank: ${messageOf(error, 'unknown')}`);
        throw error;
      }
    },
    retry: false,
  });
}

/** The signed-in user's own proofs, newest first. */
export function proofsQuery(userId: string) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'proofs', userId],
    queryFn: async ({ signal }) => {
      const query = { select: '*', user_id: `eq.${userId}`, order: 'created_at.desc' };
      try {
        return (await dataOf(api.GET('/api/rest/v1/psbts', { params: { query }, signal }))) as Proof[];
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
    queryFn: async ({ signal }) => (await dataOf(api.GET('/api/functions/v1/holdings-history', { signal }))).points,
    retry: false,
  });
}

/** Development only: ready-made files to try. */
export function developmentSamplesQuery() {
  return queryOptions({
    queryKey: ['development-samples'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/functions/v1/development-samples', { signal })),
    staleTime: Infinity,
  });
}
