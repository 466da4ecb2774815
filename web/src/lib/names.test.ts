import { expect, test } from 'vitest';
import { displayName, initial, isLongName, xPage } from './names';

test('only X names get the @ and a page on X', () => {
  expect(displayName({ username: 'satoshi', provider: 'twitter' })).toBe('@satoshi');
  expect(xPage({ username: 'satoshi', provider: 'twitter' })).toBe('https://x.com/satoshi');
  expect(displayName({ username: 'satoshi', provider: 'github' })).toBe('github:satoshi');
  expect(xPage({ username: 'satoshi', provider: 'github' })).toBeNull();
});

test('names longer than 15 characters wrap differently', () => {
  expect(isLongName('a'.repeat(15))).toBe(false);
  expect(isLongName('a'.repeat(16))).toBe(true);
});

test('the initial stands in for a picture', () => {
  expect(initial('satoshi')).toBe('S');
  expect(initial(' ')).toBe('?');
});
