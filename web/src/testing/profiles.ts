import type { Profile } from '../api/types';

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
