import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { open } from '../../testing/render';
import HowItWorksPage from './how-it-works-page';

test('the guide has five steps from signing in to a rank', () => {
  open(<HowItWorksPage />);
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Log in with X',
    'Generate a PSBT',
    'Upload it on the Verify page',
    'Automatic verification, with daily re-verification',
    'Leaderboard ranking',
  ]);
});

test.each(['Sparrow', 'Electrum', 'Bitcoin Core', 'Hardware wallets'])('%s: the amount, the rest, and no broadcasting', (wallet) => {
  open(<HowItWorksPage />);
  const help = screen.getByText(wallet, { selector: 'summary' }).closest('details');
  expect(help).toHaveTextContent(/challenge amount|two payments|0\.00054321/);
  expect(help).toHaveTextContent(/rest|two payments/);
  expect(help).toHaveTextContent(/broadcast/i);
});
