import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { open } from '../../testing/render';
import HowItWorksPage from './how-it-works-page';

test('the guide has five steps from signing in to a rank', () => {
  open(<HowItWorksPage />);
  const [steps] = screen.getAllByRole('list');
  expect(within(steps!).getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Log in with X',
    'Generate a PSBT',
    'Upload it on the Verify page',
    'Automatic verification, with daily re-verification',
    'Leaderboard ranking',
  ]);
});

test('it says whose a proof is and why it is safe, and speaks of no amount to send', () => {
  open(<HowItWorksPage />);
  expect(document.body).toHaveTextContent(/every address keeps what it has, and there is no fee/);
  expect(document.body).toHaveTextContent(/No node will accept it.*It carries your name/);
  expect(document.body).not.toHaveTextContent(/challenge/);
});

test('wallets are chosen on the Verify page', () => {
  open(<HowItWorksPage />);
  expect(screen.getByRole('link', { name: 'Choose your wallet' })).toHaveAttribute('href', '/upload');
  expect(document.querySelector('details')).toBeNull();
});

test('it says what anyone can check, what they cannot, and what no proof shows', () => {
  open(<HowItWorksPage />);
  const part = screen.getByRole('heading', { name: 'What anyone can check' }).parentElement;
  expect(part).toHaveTextContent(/their own node.*Others can’t check unpublished totals.*can’t silently change.*has no debts, or will still have the coins tomorrow/);
  expect(screen.getByRole('link', { name: 'check it in the browser' })).toHaveAttribute('href', '/verify');
});

test('each of the five steps has a picture', () => {
  open(<HowItWorksPage />);
  expect(document.querySelectorAll('ol > li > div svg[viewBox="0 0 200 120"]')).toHaveLength(5);
});

test('auditors have a page with their questions, an example to open and its request', () => {
  open(<HowItWorksPage topic="auditors" />);
  expect(screen.getByRole('heading', { level: 1, name: 'For auditors' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Open the example' })).toHaveAttribute('href', '/verify#example');
  expect(screen.getByText('Acme Bank, loan 4711 k3v9q2')).toBeInTheDocument();
  expect(document.body).toHaveTextContent(/Existence: did the coins exist.*Control: could the holder move.*The sum is “at least”.*Nothing here shows debts/);
});
