import { expect, test } from 'vitest';
import { describeExpiry, expiryOf } from './expiry';

const VERIFIED = '2026-01-01T00:00:00Z';
/** The time this many days before the proof ends. */
const before = (days: number) => new Date(expiryOf(VERIFIED).getTime() - days * 86_400_000);

test('a proof ends after 90 days', () => {
  expect(expiryOf(VERIFIED).toISOString()).toBe('2026-04-01T00:00:00.000Z');
});

test.each([
  [90, 'Expires in 90d', 'positive'],
  [16, 'Expires in 16d', 'positive'],
  [15.5, 'Expires in 16d', 'positive'],
  [15, 'Expires in 15d', 'warning'],
  [6, 'Expires in 6d', 'warning'],
  [5, 'Expires in 5d', 'danger'],
  [0.5, 'Expires in 1d', 'danger'],
  [0, 'Expired 0d ago', 'danger'],
  [-1, 'Expired 1d ago', 'danger'],
  [-12.9, 'Expired 12d ago', 'danger'],
])('%d days before the end', (days, text, tone) => {
  expect(describeExpiry(expiryOf(VERIFIED), before(days))).toMatchObject({ text, tone, expired: days <= 0 });
});
