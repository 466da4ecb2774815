import { expect, test } from 'vitest';
import { looksSecret } from './secret-shape';

const WORDS = 'abandon ability able about above absent absorb abstract absurd abuse access accident';

test.each([
  WORDS,
  `${WORDS} ${WORDS}`,
  WORDS.toUpperCase(),
  // As much of it as fits into the search.
  WORDS.slice(0, 64),
  'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn',
  '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ',
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvv',
  'tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZ',
])('%s is not sent', (text) => {
  expect(looksSecret(text)).toBe(true);
});

test.each(['satoshi', '@whale', 'github:octo', 'Maria del Carmen Garcia Lopez', 'an_unusually_long_name_an_unusually_long_name', 'Kurt', ''])('%s is a name', (text) => {
  expect(looksSecret(text)).toBe(false);
});
