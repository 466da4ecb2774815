import { expect, test } from 'vitest';
import { copyTexts } from './share-dialog';

test('a name is a part of addresses and of texts, and nothing else', () => {
  const texts = copyTexts('github:a "b" [c]', 'github:a "b" [c]', 'https://a.example');
  expect(texts.link).toBe('https://a.example/leaderboard?u=github%3Aa+%22b%22+%5Bc%5D');
  expect(texts.badge).toBe('https://a.example/badge/github%3Aa%20%22b%22%20%5Bc%5D.svg');
  expect(texts.markdown).toContain(String.raw`[![Proof of Reserves of github:a "b" \[c\]](https://a.example/badge/`);
  expect(texts.image).toContain('alt="Proof of Reserves of github:a &quot;b&quot; [c]"');
  expect(texts.frame).toContain('<iframe src="https://a.example/embed?u=github%3Aa+%22b%22+%5Bc%5D" title=');
});
