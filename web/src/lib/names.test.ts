import { expect, test } from 'vitest';
import { displayName, initial, isLongName, searched, handlePage } from './names';

test('only X names get the @ and a page on X', () => {
  const satoshi = { username: 'satoshi', provider: 'twitter', named: true };
  expect(displayName(satoshi)).toBe('@satoshi');
  expect(handlePage(satoshi)).toBe('https://x.com/satoshi');
  const another = { ...satoshi, provider: 'github' };
  expect(displayName(another)).toBe('github:satoshi');
  expect(handlePage(another)).toBeNull();
});

test('a fallback name, used when another account has taken the name, is a name nowhere', () => {
  const nobody = { username: 'user_8b1b4', provider: 'twitter', named: false };
  expect(displayName(nobody)).toBe('user_8b1b4');
  expect(handlePage(nobody)).toBeNull();
});

test('names longer than 15 characters wrap differently', () => {
  expect(isLongName('a'.repeat(15))).toBe(false);
  expect(isLongName('a'.repeat(16))).toBe(true);
});

test('the initial stands in for a picture', () => {
  expect(initial('satoshi')).toBe('S');
  expect(initial(' ')).toBe('?');
});

test.each([
  ['sato', { name: 'sato', provider: null }],
  ['@whale', { name: 'whale', provider: 'twitter' }],
  ['@', { name: '', provider: 'twitter' }],
  ['github:octo', { name: 'octo', provider: 'github' }],
  ['unheard-of:octo', { name: 'unheard-of:octo', provider: null }],
])('%s is searched as it is shown', (text, asked) => expect(searched(text)).toEqual(asked));
