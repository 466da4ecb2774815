import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiError, messageOf, request } from './client';
import type { AppConfig, DevelopmentSample, Profile, Proof, ProofChallenge } from './types';

/** Everything under this key is refetched when the live stream speaks. */
export const PROFILES_KEY = ['profiles'] as const;
const PAGE = 100;
const SINGLE = { Accept: 'application/vnd.pgrst.object+json' };

export interface BoardFilter {
  search: string;
  verifiedOnly: boolean;
}

export interface BoardPage {
  rows: Profile[];
  /** Rows that match the filter, on all pages. */
  total: number;
}

/** `%`, `_`, `*` and `\` stand for themselves in a search. */
export function ilikePattern(search: string): string {
  return `ilike.*${search.replace(/[\\%_*]/g, String.raw`\$&`)}*`;
}

/** The total of a `Content-Range: 0-99/1234` header. */
export function totalOf(headers: Headers): number {
  return Number(headers.get('Content-Range')?.split('/')[1] ?? 0) || 0;
}

async function fetchBoard(filter: BoardFilter, offset: number, limit: number, signal: AbortSignal): Promise<BoardPage> {
  const { data, headers } = await request<Profile[]>('/rest/v1/profiles', {
    query: {
      select: '*',
      order: 'bitcoin_holdings.desc.nullslast',
      limit: String(limit),
      offset: String(offset),
      ...(filter.search ? { username: ilikePattern(filter.search) } : {}),
      ...(filter.verifiedOnly ? { verified: 'eq.true' } : {}),
    },
    headers: { Prefer: 'count=exact' },
    anonymous: true,
    signal,
  });
  return { rows: data, total: totalOf(headers) };
}

/** The leaderboard, page by page, searched and filtered by the server. */
export function boardQuery(filter: BoardFilter) {
  return infiniteQueryOptions({
    queryKey: [...PROFILES_KEY, 'board', filter],
    queryFn: ({ pageParam, signal }) => fetchBoard(filter, pageParam, PAGE, signal),
    initialPageParam: 0,
    getNextPageParam: (last, _pages, offset) => (offset + PAGE < last.total ? offset + PAGE : undefined),
    placeholderData: (previous) => previous,
  });
}

/** How many users there are in all, whatever the filter. */
export function userCountQuery() {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'count'],
    queryFn: async ({ signal }) => (await fetchBoard({ search: '', verifiedOnly: false }, 0, 1, signal)).total,
  });
}

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
