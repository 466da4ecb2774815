import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { tierBounds, type HolderTier } from '../lib/holder-tier';
import { searched, handlePage } from '../lib/names';
import { member } from '../lib/member';
import { SHOWN, type BoardEntry } from './board-entry';
import { answerOf, boardNumberOf, dataOf, has, hasRows, newestBoardNumber, publicApi } from './client';
import { firstPage } from './first-page';
import { PROFILES_KEY } from './queries';
import type { BoardSummary } from './types';

/** Rows of one page. Rows are fetched in whole pages, so that scrolling back finds them in the cache. */
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
  /** Rows that match the filter, on all pages; only the first page has it. */
  total: number;
  /** The board number of the response; null when it has none. */
  number: number | null;
}

/** A pattern in which `%`, `_`, `*` and `\` are ordinary characters. */
export function ilikePattern(search: string): string {
  return `ilike.*${search.replace(/[\\%_*]/g, String.raw`\$&`)}*`;
}

/** The lowest board number among the rows on screen; null when there are none. */
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

/** The conditions for a tier's amounts, which leave out holders without a proof. */
function amounts(tier: HolderTier): string[] {
  const { from, below } = tierBounds(tier);
  return [...(from > 0 ? [`gte.${from}`] : []), ...(below === null ? [] : [`lt.${below}`])];
}

/** Retries of a replica that is behind, and the pause between them. The next event asks as well. */
const BEHIND_TRIES = 8;
const BEHIND_AGAIN_MS = 250;

/** Rows at least as new as the highest board number that this page has seen. */
async function fetchBoard(wanted: Wanted): Promise<BoardPage> {
  for (let tries = 1; ; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- retried only after an older response
    const page = await requestRows(wanted);
    if (page.number === null || page.number >= newestBoardNumber() || tries === BEHIND_TRIES) return page;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await new Promise((resolve) => setTimeout(resolve, BEHIND_AGAIN_MS));
  }
}

const ROWS = hasRows({ id: 'string', username: 'string', provider: 'string' });

async function requestRows({ filter, offset, limit, count, signal }: Wanted): Promise<BoardPage> {
  const { data, headers } = await answerOf(
    publicApi.GET('/api/rest/v1/profiles', {
      params: { query: { select: SHOWN.columns, order: ORDER, limit, offset, ...conditions(filter) } },
      ...(count ? { headers: { Prefer: 'count=exact' } } : {}),
      signal,
    }),
    ROWS,
  );
  return { filter, rows: SHOWN.rows(data), total: totalOf(headers), number: boardNumberOf(headers) };
}

/** The rows in the page that the server sent. */
function rowsOfFirstPage(): BoardPage | undefined {
  const page = firstPage();
  return page && { filter: EVERYBODY, rows: page.rows, total: page.summary.people, number: page.number };
}

/** One page of the leaderboard, counted from 0. */
export function boardPageQuery(filter: BoardFilter, page: number) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'board', filter, page],
    queryFn: ({ signal }) =>
      fetchBoard({ filter, offset: page * BOARD_PAGE, limit: BOARD_PAGE, count: page === 0, signal }),
    ...(page === 0 && isEverybody(filter) ? { initialData: rowsOfFirstPage } : {}),
    // The live stream opens with the board number of these rows, and sends an event at once when the board is newer.
    initialDataUpdatedAt: performance.timeOrigin,
    ...FOLLOWED,
  });
}

/** Live events trigger refetches. Focus and reconnects must not, or many pages would ask at once. */
const FOLLOWED = { refetchOnWindowFocus: false, refetchOnReconnect: false, retry: false } as const;

export const EVERYBODY: BoardFilter = { search: '', verifiedOnly: false, tier: null };
export const isEverybody = ({ search, verifiedOnly, tier }: BoardFilter) => search === '' && !verifiedOnly && tier === null;

/** The first page, with the number of rows. The old rows stay while the filter changes. */
export function boardQuery(filter: BoardFilter) {
  return queryOptions({ ...boardPageQuery(filter, 0), placeholderData: keepPreviousData });
}

/** New blocks cause no event. */
const SUMMARY_AGAIN_MS = 60_000;

/** The summary of the whole board. */
export function boardSummaryQuery() {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'summary'],
    queryFn: ({ signal }): Promise<BoardSummary> => dataOf(publicApi.GET('/api/functions/v1/board-summary', { signal }), has({ people: 'number', holders: 'number', bitcoin: 'number', tiers: 'object' })),
    initialData: () => firstPage()?.summary,
    initialDataUpdatedAt: performance.timeOrigin,
    refetchInterval: SUMMARY_AGAIN_MS,
  });
}

/** The id of a published proof of this user; null when there is none. */
export function publishedProofQuery(userId: string) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, 'published', userId],
    queryFn: async ({ signal }) => {
      const query = { profile_id: userId, limit: 1 };
      const { proofs } = await dataOf(publicApi.GET('/api/functions/v1/proofs', { params: { query }, signal }), has({ proofs: 'object' }));
      return proofs[0]?.id ?? null;
    },
  });
}

/** A holder's row and its position on the whole board; `index` is null without a rank. */
export interface BoardPlace {
  entry: BoardEntry;
  index: number | null;
}

/** Holders who share a rank follow one another: at most this many pages are searched for one of them. */
const TIED_PAGES = 20;

/** The row of a name in a shared link: an X name, or `github:name` and the like. Null when no holder has it. */
export const boardPlaceQuery = (name: string) => placeQuery('place', name, findByName);

/** The signed-in user's row and its position on the whole board. */
export const ownPlaceQuery = (id: string) => placeQuery('own-place', id, async (_, signal) => (await entriesWith({ id: `eq.${id}`, limit: 1 }, signal))[0]);

function placeQuery(kind: string, of: string, find: (of: string, signal: AbortSignal) => Promise<BoardEntry | null | undefined>) {
  return queryOptions({
    queryKey: [...PROFILES_KEY, kind, of],
    queryFn: async ({ signal, client }): Promise<BoardPlace | null> => {
      const entry = await find(of, signal);
      return entry ? { entry, index: await indexOf(entry, client) } : null;
    },
  });
}

/** A holder's position; null without a rank, and for a rank shared by too many. */
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
  const namesakes = rest === undefined ? [] : await entriesCalled(rest, signal);
  const found = namesakes.find((entry) => entry.provider === provider);
  if (found) return found;
  const entries = await entriesCalled(name, signal);
  // A bare name is an X name, or another provider's if nobody has it on X.
  return entries.find((entry) => handlePage(entry) !== null) ?? entries[0] ?? null;
}

const entriesCalled = (username: string, signal: AbortSignal) => entriesWith({ username: `eq.${username}`, order: ORDER, limit: 20 }, signal);

async function entriesWith(wanted: { id?: string; username?: string; order?: string; limit: number }, signal: AbortSignal): Promise<BoardEntry[]> {
  const query = { select: SHOWN.columns, ...wanted };
  return SHOWN.rows(await dataOf(publicApi.GET('/api/rest/v1/profiles', { params: { query }, signal }), ROWS));
}
