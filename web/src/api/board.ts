import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from './client';
import { PROFILES_KEY } from './queries';
import type { Profile } from './types';

/** Rows of one page. The server is asked for whole pages, so that scrolling back finds them in the cache. */
export const BOARD_PAGE = 100;

const COLUMNS = ['id', 'username', 'avatar_url', 'verified', 'bitcoin_holdings', 'rank', 'provider'] as const;

/** What the leaderboard shows of a profile. */
export type BoardEntry = Pick<Profile, (typeof COLUMNS)[number]>;

export interface BoardFilter {
  search: string;
  verifiedOnly: boolean;
}

export interface BoardPage {
  filter: BoardFilter;
  rows: BoardEntry[];
  /** Rows that match the filter, on all pages; only the first page is asked for it. */
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

interface Wanted {
  filter: BoardFilter;
  offset: number;
  limit: number;
  count: boolean;
  signal: AbortSignal;
}

async function fetchBoard({ filter, offset, limit, count, signal }: Wanted): Promise<BoardPage> {
  const { data, headers } = await request<BoardEntry[]>('/rest/v1/profiles', {
    query: {
      select: COLUMNS.join(','),
      order: 'bitcoin_holdings.desc.nullslast',
      limit: String(limit),
      offset: String(offset),
      ...(filter.search ? { username: ilikePattern(filter.search) } : {}),
      ...(filter.verifiedOnly ? { verified: 'eq.true' } : {}),
    },
    ...(count ? { headers: { Prefer: 'count=exact' } } : {}),
    anonymous: true,
    signal,
  });
  return { filter, rows: data, total: totalOf(headers) };
}

let snapshot: string | null | undefined;

/** The first rows as they stand in the page that the server sent; undefined when it sent none. */
function firstPage(): BoardPage | undefined {
  snapshot ??= globalThis.document?.getElementById('board-snapshot')?.textContent ?? null;
  if (snapshot === null) return undefined;
  const { rows, total } = JSON.parse(snapshot) as Pick<BoardPage, 'rows' | 'total'>;
  return { filter: EVERYBODY, rows, total };
}

/** One page of the leaderboard, counted from 0; searched and filtered by the server. */
export function boardPageQuery(filter: BoardFilter, page: number) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'board', filter, page],
    queryFn: ({ signal }) =>
      fetchBoard({ filter, offset: page * BOARD_PAGE, limit: BOARD_PAGE, count: page === 0, signal }),
    ...(page === 0 && isEverybody(filter) ? { initialData: firstPage } : {}),
    // Stale at once: something may have changed between the page and the live stream.
    initialDataUpdatedAt: 0,
  });
}

const EVERYBODY: BoardFilter = { search: '', verifiedOnly: false };
const isEverybody = ({ search, verifiedOnly }: BoardFilter) => search === '' && !verifiedOnly;

/** The first page, which says how many rows there are. While the filter changes, the old rows stay on show. */
export function boardQuery(filter: BoardFilter) {
  return queryOptions({ ...boardPageQuery(filter, 0), placeholderData: keepPreviousData });
}

/** How many users there are in all, whatever the filter. */
export function userCountQuery() {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'count'],
    queryFn: async ({ signal }) =>
      (await fetchBoard({ filter: EVERYBODY, offset: 0, limit: 1, count: true, signal })).total,
  });
}

/** Somebody's row, and where it stands on the whole board; `index` is null for those without a rank. */
export interface BoardPlace {
  entry: BoardEntry;
  index: number | null;
}

/** Holders who share a rank stand after one another: so many pages are looked through for the one among them. */
const TIED_PAGES = 20;

/**
 * Finds the row of a name as a shared link gives it: an X name, or `github:name` and the like. Null: nobody has it.
 */
export function boardPlaceQuery(name: string) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'place', name],
    queryFn: async ({ signal, client }): Promise<BoardPlace | null> => {
      const entry = await findByName(name, signal);
      if (!entry?.rank) return entry && { entry, index: null };
      const first = Math.floor((entry.rank - 1) / BOARD_PAGE);
      for (let page = first; page < first + TIED_PAGES; page++) {
        const { rows } = await client.ensureQueryData(boardPageQuery(EVERYBODY, page));
        const at = rows.findIndex(({ id }) => id === entry.id);
        if (at !== -1) return { entry, index: page * BOARD_PAGE + at };
        if (rows.length < BOARD_PAGE) break;
      }
      return { entry, index: null };
    },
  });
}

const PROVIDERS = new Set(['twitter', 'github', 'google', 'mock']);

async function findByName(name: string, signal: AbortSignal): Promise<BoardEntry | null> {
  const [prefix = '', rest] = name.split(/:(.*)/s);
  const named = rest !== undefined && PROVIDERS.has(prefix);
  const { data } = await request<BoardEntry[]>('/rest/v1/profiles', {
    query: {
      select: COLUMNS.join(','),
      username: `eq.${named ? rest : name}`,
      order: 'bitcoin_holdings.desc.nullslast',
      limit: '20',
    },
    anonymous: true,
    signal,
  });
  const of = (provider: string) => data.find((entry) => entry.provider === provider);
  // A bare name is an X name; only where nobody has it there may it be one from elsewhere.
  return (named ? of(prefix) : (of('twitter') ?? data[0])) ?? null;
}
