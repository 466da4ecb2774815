import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ProofAnswer, Tier } from '../../api/types';
import { open } from '../../testing/render';
import { Result } from './result';

const ACCEPTED = {
  message: '',
  amount: 2.25,
  amount_sats: 225_000_000,
  total: 14.75,
  total_sats: 1_475_000_000,
  expires_at: '2027-02-19T00:00:00Z',
  binding: 'transaction',
  proof_id: '0190d0c2-0000-7000-8000-000000000001',
  published: false,
} as const;

function show(answer: ProofAnswer, tier: Tier | null = 'free', leaving = true) {
  open(<Result answer={answer} tier={tier} userId="me" leaving={leaving} profileStale={false} onStay={() => {}} />);
}

test.each([
  ['success', 'Verification Successful!', 'proofs expire after 90 days'],
  ['reverified', 'Proof Refreshed', 'valid for another 90 days'],
  ['already-verified', 'Already Verified', 'no changes needed'],
] as const)('%s', (status, heading, note) => {
  show({ ...ACCEPTED, status });
  const box = screen.getByRole('status');
  expect(box).toHaveTextContent(heading);
  expect(box).toHaveTextContent('2.25000000 BTC');
  expect(box).toHaveTextContent('Your verified total is now 14.75000000 BTC.');
  expect(box).toHaveTextContent(note);
  expect(screen.getByRole('link', { name: 'View Your Profile' })).toHaveAttribute('href', '/profile/me');
});

test('premium is told of the daily re-verification', () => {
  show({ ...ACCEPTED, status: 'success' }, 'premium');
  expect(screen.getByRole('status')).toHaveTextContent('daily automatic re-verification');
});

test('a conflict has the message, or its default, and the note', () => {
  show({ status: 'conflict', message: '' });
  const box = screen.getByRole('alert');
  expect(box).toHaveTextContent('Conflict Detected');
  expect(box).toHaveTextContent('Conflict detected.');
  expect(box).toHaveTextContent('One or more of these UTXOs are already claimed by another user.');
  expect(box).toHaveTextContent('If you have proven them with another account of yours, use that one, or delete it.');
});

test.each([
  ['Input 2 is not signed.', 'Input 2 is not signed.'],
  ['', 'Verification failed.'],
])('an error with the message %j says %s', (message, shown) => {
  show({ status: 'error', message });
  const box = screen.getByRole('alert');
  expect(box).toHaveTextContent('Verification Failed');
  expect(box).toHaveTextContent(shown);
  expect(box).toHaveTextContent('Click or drag a new file to try again.');
});

test('a profile that could not be read after a proof was accepted is said', () => {
  open(<Result answer={{ ...ACCEPTED, status: 'success' }} tier="free" userId="me" leaving={false} profileStale onStay={() => {}} />);
  expect(screen.getByRole('status')).toHaveTextContent('Failed to update profile. Please try again.');
});

test('what was published leads to the page where anybody can check it, another document', () => {
  show({ ...ACCEPTED, status: 'already-verified', published: true });
  expect(screen.getByRole('link', { name: 'anybody can check it' })).toHaveAttribute('href', `/verify/${ACCEPTED.proof_id}`);
});
