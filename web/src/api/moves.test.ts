import { expect, test } from 'vitest';
import { profile } from '../testing/profiles';
import { BOARD_PAGE, type BoardPage } from './board';
import { indexAfter, pageAfter, type Known } from './moves';
import type { Profile } from './types';

/** The same numbers every time: a linear congruential generator. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A board whose order, ranks and moves are worked out as the server does it, the long way round. */
function board(random: (below: number) => number) {
  const people = new Map<string, Profile>();
  let next = 0;
  const holdings = () => (random(4) === 0 ? null : random(30) / 10 + 0.1);
  const order = () =>
    [...people.values()].toSorted(
      (a, b) => (b.bitcoin_holdings ?? 0) - (a.bitcoin_holdings ?? 0) || (a.id < b.id ? -1 : 1),
    );
  const rows = () => {
    const all = order();
    const rank = (own: number) => 1 + all.filter(({ bitcoin_holdings: other }) => (other ?? 0) > own).length;
    return all.map((row) =>
      Object.assign({}, row, { rank: row.bitcoin_holdings === null ? null : rank(row.bitcoin_holdings) }),
    );
  };
  const stand = (id: string) => {
    const index = order().findIndex((row) => row.id === id);
    return index === -1 ? null : { index, bitcoin_holdings: people.get(id)?.bitcoin_holdings ?? null };
  };
  const put = (id: string) => {
    const amount = holdings();
    const username = `name ${id}`;
    people.set(id, profile({ id, username, bitcoin_holdings: amount, verified: amount !== null }));
  };
  const change = (number: number) => {
    const ids = [...people.keys()];
    const isNew = random(3) === 0;
    const id = isNew ? `${random(900) + 100}-${next++}` : (ids[random(ids.length)] ?? '');
    const from = stand(id);
    if (!isNew && random(4) === 0) people.delete(id);
    else put(id);
    return { number, id, from, to: stand(id), renamed: isNew };
  };
  for (let count = 0; count < 230; count++) put(`${random(900) + 100}-${next++}`);
  return { rows, change, isThere: (id: string) => people.has(id) };
}

test('rows that are known are brought up to date without being fetched', () => {
  const random = numbers(7);
  let known = 0;
  for (let round = 0; round < 25; round++) {
    const whole = board(random);
    const filter = { search: '', verifiedOnly: random(2) === 0, tier: null };
    const page = (at: number): BoardPage => {
      const rows = whole.rows().filter(({ verified }) => verified || !filter.verifiedOnly);
      const some = rows.slice(at * BOARD_PAGE, (at + 1) * BOARD_PAGE);
      return { filter, rows: some, total: at === 0 ? rows.length : 0, number: null };
    };
    const before = [0, 1, 2, 3].map(page);
    const moves = Array.from({ length: 1 + random(3) }, (_, index) => whole.change(index + 1));
    const moved = moves.map((move) => ({ ...move, id: whole.isThere(move.id) ? move.id : null }));
    const ids = new Set(moves.map(({ id }) => id));
    const changes: Known = { number: 3, total: whole.rows().length, moves: moved, rows: whole.rows().filter(({ id }) => ids.has(id)) };
    before.forEach((old, at) => {
      const after = pageAfter(old, at, changes.moves, changes);
      if (after === null) return;
      known++;
      expect(after).toEqual({ ...page(at), number: 3 });
    });
  }
  // Most need no other row than those that they have.
  expect(known).toBeGreaterThan(40);
});

const stand = (index: number | null) => (index === null ? null : { index, bitcoin_holdings: 1 });
const move = (from: number | null, to: number | null) => ({
  number: 1,
  id: 'x',
  from: stand(from),
  to: stand(to),
  renamed: false,
});

test('what moves past a row moves it by one', () => {
  expect(indexAfter(10, [move(20, 3)])).toBe(11);
  expect(indexAfter(10, [move(3, 20)])).toBe(9);
  expect(indexAfter(10, [move(3, 10)])).toBe(9);
  expect(indexAfter(10, [move(null, 10)])).toBe(11);
  expect(indexAfter(10, [move(9, null), move(30, 40)])).toBe(9);
});
