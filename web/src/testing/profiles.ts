import type { Profile } from '../api/types';
import type { JustProven } from '../features/share/just-proven';

/** A verified holder, with anything else as the test needs it. */
export function profile(changes: Partial<Profile> = {}): Profile {
  return {
    id: '8b1b4444-46c1-4faa-87cc-058597cdbc80',
    username: 'satoshi',
    avatar_url: null,
    updated_at: '2026-01-01T00:00:00Z',
    tier: null,
    verified: true,
    bitcoin_holdings: 1.5,
    shown_as: 'exact',
    last_verified: '2026-01-01T00:00:00Z',
    rank: 4,
    last_auto_reverify: null,
    provider: 'twitter',
    published_sats: null,
    named: true,
    ...changes,
  };
}

/** A proof of two coins that was just accepted. */
export function provenOf(changes: Partial<JustProven['answer']> = {}): JustProven {
  return {
    answer: {
      status: 'success',
      message: '',
      amount: 2.25,
      amount_sats: 225_000_000,
      total: 14.75,
      total_sats: 1_475_000_000,
      expires_at: '2027-02-19T00:00:00Z',
      binding: 'transaction',
      proof_id: '0190d0c2-0000-7000-8000-000000000001',
      published: false,
      ...changes,
    },
    coins: 2,
    bound: true,
    message: false,
    sent: { psbtBase64: 'cHNidP8=', utxos: [], file_name: 'a.psbt' },
    met: false,
  };
}
