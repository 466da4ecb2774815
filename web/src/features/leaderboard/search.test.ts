import { expect, test } from 'vitest';
import { boardAddress, readBoardSearch } from './search';

test('the address says what is searched, filtered and pointed at', () => {
  expect(readBoardSearch('')).toEqual({ q: '', verified: false, u: '' });
  expect(readBoardSearch('?q=a%26b&verified=1&u=satoshi')).toEqual({ q: 'a&b', verified: true, u: 'satoshi' });
  expect(readBoardSearch('verified=true').verified).toBe(false);
  expect(readBoardSearch(`q=${'x'.repeat(100)}`).q).toHaveLength(64);
});

test.each([
  { q: '', verified: false, u: '' },
  { q: 'a&b=c d', verified: true, u: '' },
  { q: '', verified: false, u: 'satoshi' },
])('%j survives the address bar', (state) => {
  const address = boardAddress(state);
  expect(address.startsWith('/leaderboard')).toBe(true);
  expect(readBoardSearch(address.split('?')[1] ?? '')).toEqual(state);
});

test('defaults stay out of the address', () => {
  expect(boardAddress({ q: '', verified: false, u: '' })).toBe('/leaderboard');
});
