import { expect, test } from 'vitest';
import { boardAddress, readBoardSearch } from './use-board-search';

test('the address says what is searched, filtered and pointed at', () => {
  expect(readBoardSearch('')).toEqual({ q: '', verified: false, tier: null, u: '' });
  expect(readBoardSearch('?q=a%26b&verified=1&tier=whale&u=satoshi')).toEqual({ q: 'a&b', verified: true, tier: 'Whale', u: 'satoshi' });
  expect(readBoardSearch('verified=true').verified).toBe(false);
  expect(readBoardSearch('tier=unicorn').tier).toBeNull();
  expect(readBoardSearch(`q=${'x'.repeat(100)}`).q).toHaveLength(64);
});

test.each([
  { q: '', verified: false, tier: null, u: '' },
  { q: 'a&b=c d', verified: true, tier: 'Crab' as const, u: '' },
  { q: '', verified: false, tier: null, u: 'satoshi' },
])('%j survives the address bar', (state) => {
  const address = boardAddress(state);
  expect(address.startsWith('/leaderboard')).toBe(true);
  expect(readBoardSearch(address.split('?')[1] ?? '')).toEqual(state);
});

test('defaults stay out of the address', () => {
  expect(boardAddress({ q: '', verified: false, tier: null, u: '' })).toBe('/leaderboard');
});
