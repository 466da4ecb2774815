import { expect, test } from 'vitest';
import { HOLDER_TIERS, holderTier, tierBounds } from './holder-tier';

test.each([
  [21_000, 'Whale'],
  [100, 'Whale'],
  [99.99999999, 'Shark'],
  [50, 'Shark'],
  [49.99999999, 'Dolphin'],
  [10, 'Dolphin'],
  [1, 'Fish'],
  [0.99999999, 'Crab'],
  [0.1, 'Crab'],
  [0.09999999, 'Plankton'],
  [0, 'Plankton'],
  [null, 'Plankton'],
  [undefined, 'Plankton'],
])('%s BTC is a %s', (btc, tier) => expect(holderTier(btc)).toBe(tier));

test('tiers lie side by side', () => {
  expect(tierBounds('Plankton')).toEqual({ from: 0, below: 0.1 });
  expect(tierBounds('Whale')).toEqual({ from: 100, below: null });
  const below = HOLDER_TIERS.map((tier) => tierBounds(tier).below);
  expect(HOLDER_TIERS.map((tier) => tierBounds(tier).from)).toEqual([0, ...below.slice(0, -1)]);
});
