import { expect, test } from 'vitest';
import { holderTier } from './holder-tier';

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
