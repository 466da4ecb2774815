import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { profile } from '../../testing/profiles';
import { open } from '../../testing/render';
import PlaceNote from './place-note';

test.each([
  [null, 'exact', null],
  [150_000_000, 'exact', 'Anyone can check all of this.'],
  [50_000_000, 'exact', 'Anyone can check 0.50000000 BTC of this.'],
  [150_000_000, 'range', 'Anyone can check 1.50000000 BTC of this.'],
] as const)('a shared row of which %s sats are published, shown as %s, says so, and leads to where they are checked', (sats, shown, words) => {
  const entry = profile({ id: 'a', bitcoin_holdings: 1.5, published_sats: sats, shown_as: shown });
  open(<PlaceNote name="satoshi" place={{ entry, index: 3 }} />);
  expect(screen.getByRole('status')).toHaveTextContent('@satoshi has rank #4.');
  const link = screen.queryByRole('link');
  if (words === null) expect(link).toBeNull();
  else expect([link?.textContent, link?.getAttribute('href')]).toEqual([words, '/verify?profile=a']);
});

test('a name that nobody has is said to be nobody’s', () => {
  open(<PlaceNote name="satoshi" place={null} />);
  expect(screen.getByRole('status')).toHaveTextContent('There’s no "satoshi" on the leaderboard.');
});
