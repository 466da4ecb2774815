import { queryOptions } from '@tanstack/react-query';
import { ApiError, messageOf, request } from './client';
import type { AppConfig, DevelopmentSample, Profile, Proof, ProofChallenge } from './types';

/** Everything under this key is refetched when the live stream speaks. */
export const PROFILES_KEY = ['profiles'] as const;
const SINGLE = { Accept: 'application/vnd.pgrst.object+json' };

/** One profile; null when there is none. */
export function profileQuery(id: string) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'one', id],
    queryFn: async ({ signal }): Promise<Profile | null> => {
      try {
        const query = { select: '*', id: `eq.${id}` };
        return (await request<Profile>('/rest/v1/profiles', { query, headers: SINGLE, signal })).data;
      } catch (error) {
        if (error instanceof ApiError && error.status === 406) return null;
        throw prefixed('Failed to fetch user profile', error, signal);
      }
    },
  });
}

/** The rank as the server computes it now. A failure is only logged: the profile's own rank stays. */
export function rankQuery(userId: string) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'rank', userId],
    queryFn: async ({ signal }) => {
      const path = `/functions/v1/getUserRank/${encodeURIComponent(userId)}`;
      try {
        return (await request<{ rank: number | null }>(path, { signal })).data.rank;
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
        return (await request<Proof[]>('/rest/v1/psbts', { query, signal })).data;
      } catch (error) {
        throw prefixed('Failed to fetch PSBTs', error, signal);
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
        select: 'created_at',
        user_id: `eq.${userId}`,
        verified: 'eq.true',
        order: 'created_at.desc',
        limit: '1',
      };
      const { data } = await request<Pick<Proof, 'created_at'>[]>('/rest/v1/psbts', { query, signal });
      return data[0]?.created_at ?? null;
    },
  });
}

/** The price of one BTC in dollars, polled every 60 seconds; any failure or odd shape is an unknown price. */
export function bitcoinPriceQuery() {
  return queryOptions({
    queryKey: ['bitcoin-price'],
    queryFn: async ({ signal }): Promise<number | null> => {
      try {
        const path = '/functions/v1/bitcoin-price';
        const { data } = await request<{ bitcoin?: { usd?: unknown } }>(path, { signal, anonymous: true });
        const price = data?.bitcoin?.usd;
        return typeof price === 'number' && Number.isFinite(price) ? price : null;
      } catch {
        return null;
      }
    },
    refetchInterval: 60_000,
    staleTime: 60_000,
  });
}

/** The server's settings; they never change while a page is open. */
export function appConfigQuery() {
  return queryOptions({
    queryKey: ['app-config'],
    queryFn: async ({ signal }) =>
      (await request<AppConfig>('/functions/v1/app-config', { signal, anonymous: true })).data,
    staleTime: Infinity,
  });
}

/** The account's challenge. Asked once a visit, because every answer carries a fresh message to sign. */
export function proofChallengeQuery() {
  return queryOptions({
    queryKey: ['proof-challenge'],
    queryFn: async ({ signal }) => (await request<ProofChallenge>('/functions/v1/proof-challenge', { signal })).data,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Ready-made files to try, in development only. */
export function developmentSamplesQuery() {
  return queryOptions({
    queryKey: ['development-samples'],
    queryFn: async ({ signal }) =>
      (await request<DevelopmentSample[]>('/functions/v1/development-samples', { signal })).data,
    staleTime: Infinity,
  });
}

function prefixed(prefix: string, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || !(error instanceof ApiError)) return error;
  return new ApiError(`${prefix}: ${error.message}`, error.code, error.status, error.body);
}
