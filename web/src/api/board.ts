import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { tierBounds, type HolderTier } from '../lib/holder-tier';
import { searched, xPage } from '../lib/names';
import { SHOWN, type BoardEntry } from './board-entry';
import { answerOf, boardNumberOf, dataOf, member, newestBoardNumber, publicApi } from './client';
import { firstPage } from './first-page';
import { PROFILES_KEY } from './queries';
import type { BoardSummary } from './types';

/** Rows of one page. The server is asked for whole pages, so that scrolling back finds them in the cache. */
export const BOARD_PAGE = 100;

export type { BoardEntry };

/** The order of the leaderboard, and the only one. */
const ORDER = 'bitcoin_holdings.desc.nullslast';

export interface BoardFilter {
  search: string;
  verifiedOnly: boolean;
  /** Only holders of this tier. */
  tier: HolderTier | null;
}

export interface BoardPage {
  filter: BoardFilter;
  rows: BoardEntry[];
  /** Rows that match the filter, on all pages; only the first page is asked for it. */
  total: number;
  /** The number of the board's newest change in it; null when that is not known. */
  number: number | null;
}

/** `%`, `_`, `*` and `\` stand for themselves in a search. */
export function ilikePattern(search: string): string {
  return `ilike.*${search.replace(/[\\%_*]/g, String.raw`\$&`)}*`;
}

/** The number of the oldest board that rows on the screen are of; null when there are none. */
export function numberOnScreen(client: QueryClient): number | null {
  const pages = client.getQueryCache().findAll({ queryKey: [...PROFILES_KEY, 'board'], type: 'active' });
  const numbers = pages.filter(({ state }) => state.status === 'success').map(({ state }) => member(state.data, 'number'));
  return numbers.filter((number) => typeof number === 'number').reduce<number | null>((least, number) => Math.min(least ?? number, number), null);
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

function conditions({ search, verifiedOnly, tier }: BoardFilter) {
  const { name, provider } = searched(search);
  return {
    ...(name ? { username: ilikePattern(name) } : {}),
    ...(provider ? { provider: `eq.${provider}` } : {}),
    ...(verifiedOnly ? { verified: 'eq.true' } : {}),
    ...(tier ? { bitcoin_holdings: amounts(tier) } : {}),
  };
}

/** The amounts of a tier. What somebody has not proven is no amount. */
function amounts(tier: HolderTier): string[] {
  const { from, below } = tierBounds(tier);
  return [...(from > 0 ? [`gte.${from}`] : []), ...(below === null ? [] : [`lt.${below}`])];
}

/** How often and after how long a replica is asked again that is behind: the next event asks as well. */
const BEHIND_TRIES = 8;
const BEHIND_AGAIN_MS = 250;

/** Rows of the board, as new as the page knows it to be. */
async function fetchBoard(wanted: Wanted): Promise<BoardPage> {
  for (let tries = 1; ; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- asked again only after an older answer
    const page = await askForRows(wanted);
    if (page.number === null || page.number >= newestBoardNumber() || tries === BEHIND_TRIES) return page;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await new Promise((resolve) => setTimeout(resolve, BEHIND_AGAIN_MS));
  }
}

async function askForRows({ filter, offset, limit, count, signal }: Wanted): Promise<BoardPage> {
  const { data, headers } = await answerOf(
    publicApi.GET('/api/rest/v1/profiles', {
      params: {
        query: {
          select: SHOWN.columns,
          order: ORDER,
          limit,
          offset,
          ...conditions(filter),
        },
      },
      ...(count ? { headers: { Prefer: 'count=exact' } } : {}),
      signal,
    }),
  );
  return { filter, rows: SHOWN.rows(data), total: totalOf(headers), number: boardNumberOf(headers) };
}

/** The first rows as they stand in the page that the server sent; undefined when it sent none. */
function rowsOfFirstPage(): BoardPage | undefined {
  const page = firstPage();
  return page && { filter: EVERYBODY, rows: page.rows, total: page.summary.people, number: page.number };
}

/** One page of the leaderboard, counted from 0; searched and filtered by the server. */
export function boardPageQuery(filter: BoardFilter, page: number) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'board', filter, page],
    queryFn: ({ signal }) =>
      fetchBoard({ filter, offset: page * BOARD_PAGE, limit: BOARD_PAGE, count: page === 0, signal }),
    ...(page === 0 && isEverybody(filter) ? { initialData: rowsOfFirstPage } : {}),
    // The live stream is opened with the number of these rows, and sends an event at once when there is a newer board.
    initialDataUpdatedAt: performance.timeOrigin,
    ...FOLLOWED,
  });
}

/** The live stream says when rows change; asking at other moments would make many pages ask at once. */
const FOLLOWED = { refetchOnWindowFocus: false, refetchOnReconnect: false, retry: false } as const;

export const EVERYBODY: BoardFilter = { search: '', verifiedOnly: false, tier: null };
const isEverybody = ({ search, verifiedOnly, tier }: BoardFilter) => search === '' && !verifiedOnly && tier === null;

/** The first page, which says how many rows there are. While the filter changes, the old rows stay on show. */
export function boardQuery(filter: BoardFilter) {
  return queryOptions({ ...boardPageQuery(filter, 0), placeholderData: keepPreviousData });
}

/** Blocks come without changing a row, and nobody tells of them. */
const SUMMARY_AGAIN_MS = 60_000;

/** The board as a whole, whatever the filter. */
export function boardSummaryQuery() {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'summary'],
    queryFn: ({ signal }): Promise<BoardSummary> => dataOf(publicApi.GET('/api/functions/v1/board-summary', { signal })),
    initialData: () => firstPage()?.summary,
    initialDataUpdatedAt: performance.timeOrigin,
    refetchInterval: SUMMARY_AGAIN_MS,
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
      return entry && { entry, index: await indexOf(entry, client) };
    },
  });
}

/** One's own row, and where it stands on the whole board. */
export function ownPlaceQuery(id: string) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'own-place', id],
    queryFn: async ({ signal, client }): Promise<BoardPlace | null> => {
      const query = { select: SHOWN.columns, id: `eq.${id}`, limit: 1 };
      const [entry] = SHOWN.rows(await dataOf(publicApi.GET('/api/rest/v1/profiles', { params: { query }, signal })));
      return entry ? { entry, index: await indexOf(entry, client) } : null;
    },
  });
}

/** Where somebody with a rank stands; null for others, and for whoever shares a rank with too many. */
async function indexOf({ id, rank }: BoardEntry, client: QueryClient): Promise<number | null> {
  if (!rank) return null;
  const first = Math.floor((rank - 1) / BOARD_PAGE);
  for (let page = first; page < first + TIED_PAGES; page++) {
    const { rows } = await client.ensureQueryData(boardPageQuery(EVERYBODY, page));
    const at = rows.findIndex((row) => row.id === id);
    if (at !== -1) return page * BOARD_PAGE + at;
    if (rows.length < BOARD_PAGE) break;
  }
  return null;
}

async function findByName(name: string, signal: AbortSignal): Promise<BoardEntry | null> {
  const [provider, rest] = name.split(/:(.*)/s);
  const there = rest === undefined ? [] : await entriesCalled(rest, signal);
  const found = there.find((entry) => entry.provider === provider);
  if (found) return found;
  const entries = await entriesCalled(name, signal);
  // A bare name is an X name; only where nobody has it there may it be one from elsewhere.
  return entries.find((entry) => xPage(entry) !== null) ?? entries[0] ?? null;
}

async function entriesCalled(username: string, signal: AbortSignal): Promise<BoardEntry[]> {
  const query = { select: SHOWN.columns, username: `eq.${username}`, order: ORDER, limit: 20 };
  return SHOWN.rows(await dataOf(publicApi.GET('/api/rest/v1/profiles', { params: { query }, signal })));
}
