import { expect, test } from 'vitest';
import { amountWords, bitcoinWords, spokenAmount, usdWords, type Shown } from './shown';

const range = (btc: number | null): Shown => ({ bitcoin_holdings: btc, shown_as: 'range' });
const exact = (btc: number | null): Shown => ({ bitcoin_holdings: btc, shown_as: 'exact' });

test('a range says its tier and nothing more, to its holder and to visitors', () => {
  // Its owner has the exact total, everybody else where the tier begins.
  for (const [total, begins, words] of [
    [250.5, 100, 'at least 100 BTC'],
    [99.99999999, 50, 'at least 50 BTC'],
    [10, 10, 'at least 10 BTC'],
    [9.87654321, 1, 'at least 1 BTC'],
    [0.1, 0.1, 'at least 0.1 BTC'],
    [0.09999999, 0.00000001, 'under 0.1 BTC'],
  ] as const) {
    for (const btc of [total, begins]) {
      expect(bitcoinWords(range(btc))).toBe(words);
      expect(spokenAmount(range(btc))).toBe(words);
      expect(usdWords(range(btc), 100_000)).toBe(usdWords(range(begins), 100_000));
    }
  }
  expect(amountWords(range(3))).toBe('at least 1');
  expect(usdWords(range(3), 95_000.5)).toBe('$95,000.50+');
  expect(usdWords(range(0.05), 95_000)).toBe('under $9,500');
  expect(usdWords(range(3), null)).toBe('Loading...');
  expect(bitcoinWords(range(null))).toBe('N/A');
});

test('an exact total is a number', () => {
  expect(bitcoinWords(exact(1.25))).toBe('1.25000000');
  expect(usdWords(exact(1.5), 100_000)).toBe('$150,000');
  expect(spokenAmount(exact(1.256))).toBe('1.25 BTC');
  expect(bitcoinWords(exact(null))).toBe('N/A');
});
