import { searched } from '../lib/names';
import { shownBtc } from '../lib/shown';
import { BOARD_PAGE, type BoardEntry, type BoardPage } from './board';
import type { BoardChanges } from './types';

type Move = NonNullable<BoardChanges['moves']>[number];

/** Changes of the board of which all is known. */
export type Known = BoardChanges & { moves: Move[] };

const holdingsOf = (amount: number | null | undefined) => amount ?? 0;

/** A rank after these moves, none of which is of the row itself. */
export function rankAfter(rank: number | null, holdings: number | null, moves: Move[]): number | null {
  if (rank === null) return null;
  const own = holdingsOf(holdings);
  const isAbove = (stand: Move['from']) => Number(holdingsOf(stand?.bitcoin_holdings) > own);
  return moves.reduce((sum, { from, to }) => sum + isAbove(to) - isAbove(from), rank);
}

/** Where a row stands after these moves, none of which is of the row itself. */
export function indexAfter(index: number, moves: Move[]): number {
  return moves.reduce((at, { from, to }) => {
    const without = from && from.index < at ? at - 1 : at;
    return to && to.index <= without ? without + 1 : without;
  }, index);
}

/** The moves that are news to somebody who has seen the board of this number; null when that cannot be told. */
export function movesAfter(number: number | null, since: number, changes: Known): Move[] | null {
  if (number === null) return null;
  if (number >= changes.number) return [];
  // Between two numbers the server may have taken several changes in one step.
  if (number !== since && !changes.moves.some((move) => move.number === number)) return null;
  return changes.moves.filter((move) => move.number > number);
}

/** The rows of a page of the leaderboard after these moves; null when some of them are not known. */
export function pageAfter(page: BoardPage, at: number, moves: Move[], changes: Known): BoardPage | null {
  const number = Math.max(page.number ?? 0, changes.number);
  if (moves.length === 0) return { ...page, number };
  const rows = isWhole(page.filter) ? windowAfter(page, at * BOARD_PAGE, moves, changes) : unmoved(page, moves, changes);
  return rows && { ...page, rows: withRanks(rows, moves, changes), total: totalAfter(page, at, moves), number };
}

/** Whether the rows of this filter stand one behind the other on the whole board. */
function isWhole({ search, verifiedOnly, ...others }: BoardPage['filter']): boolean {
  return search === '' && typeof verifiedOnly === 'boolean' && Object.values(others).every((value) => !value);
}

function totalAfter({ filter, total }: BoardPage, at: number, moves: Move[]): number {
  // The other pages have not asked for it.
  if (at !== 0 || !isWhole(filter)) return total;
  const counts = (stand: Move['from']) => Number(isThere(stand, filter.verifiedOnly));
  return moves.reduce((sum, { from, to }) => sum + counts(to) - counts(from), total);
}

/** Those with something proven stand before all others, so that their places are the same with and without them. */
const isThere = (stand: Move['from'], verifiedOnly: boolean) =>
  stand !== null && (!verifiedOnly || stand.bitcoin_holdings !== null);

/** Stands for a row that is not known here. */
const UNKNOWN = null;

function windowAfter({ filter, rows }: BoardPage, first: number, moves: Move[], changes: Known): BoardEntry[] | null {
  const window: (BoardEntry | null)[] = [...rows];
  const moved = new Map(changes.rows.map((row) => [row.id, row]));
  let isLast = rows.length < BOARD_PAGE;
  for (const { id, from, to } of moves) {
    if (isThere(from, filter.verifiedOnly) && from && from.index < first + BOARD_PAGE) {
      window.splice(Math.max(from.index - first, 0), 1);
      if (!isLast) window.push(UNKNOWN);
    }
    if (isThere(to, filter.verifiedOnly) && to && to.index < first + BOARD_PAGE) {
      window.splice(Math.max(to.index - first, 0), 0, (to.index >= first && moved.get(id ?? '')) || UNKNOWN);
      if (window.length > BOARD_PAGE) {
        window.pop();
        isLast = false;
      }
    }
  }
  const known = window.filter((row) => row !== UNKNOWN);
  return known.length === window.length ? known : null;
}

const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text);

/** The rows of a search, when none of those who moved is, was or will be among them. */
function unmoved({ filter, rows }: BoardPage, moves: Move[], changes: Known): BoardEntry[] | null {
  const moved = new Map(changes.rows.map((row) => [row.id, row]));
  const found = new Set(rows.map(({ id }) => id));
  const search = searched(filter.search).name.toLowerCase();
  const isMeant = ({ id, renamed }: Move) => {
    const name = id === null ? undefined : moved.get(id)?.username;
    if (renamed || id === null || name === undefined || found.has(id)) return true;
    // What is one letter in two cases elsewhere is the server's to say.
    return !isPlain(name) || !isPlain(search) || name.toLowerCase().includes(search);
  };
  return search === '' || moves.some(isMeant) ? null : rows;
}

function withRanks(rows: BoardEntry[], moves: Move[], changes: Known): BoardEntry[] {
  const moved = new Map(changes.rows.map((row) => [row.id, row]));
  return rows.map((row) => {
    const now = moved.get(row.id);
    if (now) return now;
    const rank = rankAfter(row.rank, shownBtc(row), moves);
    return rank === row.rank ? row : { ...row, rank };
  });
}
