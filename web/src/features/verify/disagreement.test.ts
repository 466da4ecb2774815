import { expect, test } from 'vitest';
import type { CoinHeights, CoinState } from '../../api/esplora';
import { differsFrom, type Answer } from './disagreement';

const block = (height: number, letter: string) => ({ height, hash: letter.repeat(64), time: 0, medianTime: 0 });

function answer(host: string, states: CoinState[], heights: (CoinHeights | null)[], more: Partial<Answer> = {}): Answer {
  const known = heights.flatMap((one, at): [string, CoinHeights][] => (one ? [[String(at), one]] : []));
  return { host, height: 100, states: new Map(states.map((state, at) => [String(at), state])), heights: new Map(known), date: null, bounds: null, ...more };
}

const there = { funded: 50, spent: null };
const first = answer('a.example', ['unspent'], [there]);

test.each<[string, Answer, string | null]>([
  ['the same', answer('b.example', ['unspent'], [there]), null],
  ['another block for the coin', answer('b.example', ['unspent'], [{ funded: 51, spent: null }]), 'a.example'],
  ['no such coin', answer('b.example', ['missing'], [null]), 'a.example'],
  ['another value', answer('b.example', ['differs'], [null]), 'a.example'],
  ['spent in a block that both have', answer('b.example', ['spent'], [{ funded: 50, spent: 90 }]), 'a.example'],
  ['spent in a block that only one has', answer('b.example', ['spent'], [{ funded: 50, spent: 101 }], { height: 101 }), null],
  ['spent, it does not know when', answer('b.example', ['spent'], [{ funded: 50, spent: 'unknown' }]), null],
  ['the same source a minute later', answer('a.example', ['spent'], [{ funded: 50, spent: 90 }]), null],
])('%s', (_, second, wanted) => expect(differsFrom(second, [first])).toBe(wanted));

const dated = (host: string, letter: string, date = '2026-12-31T24:00:00Z') => answer(host, ['unspent'], [there], { date, bounds: { lower: block(60, 'a'), upper: block(62, letter), settled: true } });

test('other blocks for the same date contradict each other', () => {
  expect(differsFrom(dated('b.example', 'b'), [dated('a.example', 'c')])).toBe('a.example');
  expect(differsFrom(dated('b.example', 'b'), [dated('a.example', 'b')])).toBeNull();
  expect(differsFrom(dated('b.example', 'b'), [dated('a.example', 'c', '2025-12-31T24:00:00Z')])).toBeNull();
});
