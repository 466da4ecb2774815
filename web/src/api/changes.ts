import type { Query, QueryClient } from '@tanstack/react-query';
import type { BoardPage } from './board';
import { dataOf, member, publicApi } from './client';
import { indexAfter, movesAfter, pageAfter, rankAfter, type Known } from './moves';
import { PROFILES_KEY } from './queries';
import type { BoardChanges } from './types';

/**
 * Brings everything about profiles up to date with one question: what has changed since the rows on show. Whatever the answer does
 * not tell is fetched again.
 */
export async function catchUp(client: QueryClient): Promise<void> {
  const shown = client.getQueryCache().findAll({ queryKey: [...PROFILES_KEY, 'board'], type: 'active' });
  const numbers = shown.map(({ state }) => numberOf(state.data)).filter((number) => number !== null);
  const since = Math.min(...numbers);
  const changes = numbers.length > 0 ? await changesSince(since) : null;
  if (!changes || !isKnown(changes)) {
    await client.invalidateQueries({ queryKey: PROFILES_KEY });
    return;
  }
  const queries = client.getQueryCache().findAll({ queryKey: PROFILES_KEY });
  const rest = new Set(queries.filter((query) => !takeOver(client, query, since, changes)));
  await client.invalidateQueries({ queryKey: PROFILES_KEY, predicate: (query) => rest.has(query) });
}

async function changesSince(since: number): Promise<BoardChanges | null> {
  try {
    return await dataOf(publicApi.GET('/api/functions/v1/board-changes', { params: { query: { since } } }));
  } catch {
    return null;
  }
}

const isKnown = (changes: BoardChanges): changes is Known => changes.moves !== null;

const numberOf = (page: unknown): number | null => (isPage(page) ? page.number : null);

const isPage = (data: unknown): data is BoardPage =>
  typeof data === 'object' && data !== null && 'rows' in data && 'number' in data;

/** Puts what is new into the answer of a query; false when it has to be fetched again. */
function takeOver(client: QueryClient, query: Query, since: number, changes: Known): boolean {
  // What is on its way may be older than the changes.
  if (query.state.fetchStatus !== 'idle' || query.state.status !== 'success') return false;
  const after = dataAfter(client, query, since, changes);
  if (after === undefined) return false;
  if (after !== query.state.data) client.setQueryData(query.queryKey, after);
  return true;
}

/** What a query would answer now; undefined when that is not known. */
function dataAfter(client: QueryClient, { queryKey, state }: Query, since: number, changes: Known): unknown {
  const [, kind, of, at] = queryKey;
  const isGone = changes.moves.some(({ id }) => id === null);
  const isMoved = (id: unknown) => isGone || changes.rows.some((row) => row.id === id);
  switch (kind) {
    case 'board': {
      if (!isPage(state.data) || typeof at !== 'number') return undefined;
      const moves = movesAfter(state.data.number, since, changes);
      return (moves && pageAfter(state.data, at, moves, changes)) ?? undefined;
    }
    // Of the rest it is not known how new it is, but it stays as it is when nothing has moved past it.
    case 'proofs':
    case 'latest-upload':
      return isMoved(of) ? undefined : state.data;
    case 'one':
      return isMoved(of) || !isStill(state.data, changes) ? undefined : state.data;
    case 'rank': {
      const one = client.getQueryData([...PROFILES_KEY, 'one', of]);
      return isMoved(of) || !isStill(one, changes) ? undefined : state.data;
    }
    case 'place': {
      const isNamed = changes.moves.some(({ renamed }) => renamed);
      return isNamed || !isPlaceStill(state.data, changes) ? undefined : state.data;
    }
    default:
      return undefined;
  }
}

/** Whether nobody has moved past the holdings of this profile. */
function isStill(profile: unknown, { moves }: Known): boolean {
  // Its owner has another total than the one that its place comes of.
  if (member(profile, 'shown_as') === 'range' && moves.length > 0) return false;
  const holdings = member(profile, 'bitcoin_holdings');
  return (
    (typeof holdings === 'number' || holdings === null) &&
    moves.every((move) => rankAfter(1, holdings, [move]) === 1)
  );
}

/** Whether nobody has moved past this place on the board. */
function isPlaceStill(place: unknown, changes: Known): boolean {
  const index = member(place, 'index');
  const entry = member(place, 'entry');
  if (changes.rows.some(({ id }) => id === member(entry, 'id')) || !isStill(entry, changes)) return false;
  return typeof index !== 'number' || changes.moves.every((move) => indexAfter(index, [move]) === index);
}
