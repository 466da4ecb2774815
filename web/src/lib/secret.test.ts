import { expect, test } from 'vitest';
import { mayBeSecret } from './secret';

const WORDS = 'abandon ability able about above absent absorb abstract absurd abuse access accident';

test.each([
  WORDS,
  `${WORDS} ${WORDS}`,
  WORDS.toUpperCase(),
  WORDS.replaceAll(' ', '\n'),
  WORDS.split(' ').map((word, index) => `${index + 1}. ${word}`).join(', '),
  'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn',
  '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ',
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvv',
  'tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZ',
  'my key is KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn, keep it',
])('%s can be a secret', (text) => {
  expect(mayBeSecret(text)).toBe(true);
});

test.each(['satoshi', '@whale', 'github:octo', 'Maria del Carmen Garcia Lopez', 'Acme Bank, loan 4711', 'an_unusually_long_name_an_unusually_long_name', ''])('%s is no secret', (text) => {
  expect(mayBeSecret(text)).toBe(false);
});
