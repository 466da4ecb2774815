import type { User } from '@supabase/auth-js';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { stubNetwork } from '../../testing/network';
import { profile } from '../../testing/profiles';
import { currentUserOf, openProfile } from './current-user';

const USER = {
  id: '8b1b4444-46c1-4faa-87cc-058597cdbc80',
  email: 'me@example.org',
  user_metadata: { preferred_username: 'satoshi', avatar_url: 'https://example.org/a_normal.jpg' },
  app_metadata: { provider: 'github' },
} as unknown as User;

test('the identity falls back where the provider is silent', () => {
  const silent = { ...USER, user_metadata: {}, app_metadata: {} } as unknown as User;
  expect(currentUserOf(silent, null)).toMatchObject({
    name: 'me@example.org',
    username: 'user_8b1b4',
    avatarUrl: null,
    provider: 'twitter',
    verified: false,
    tier: 'free',
  });
});

test('what the server verified is copied onto it; an unset tier stays unset', () => {
  expect(currentUserOf(USER, profile({ tier: null }))).toMatchObject({ verified: true, bitcoinHoldings: 1.5, rank: 4, tier: null });
  expect(currentUserOf(USER, profile({ tier: 'premium' })).tier).toBe('premium');
});

test('the profile is written and read, both at once', async () => {
  const calls = stubNetwork(({ method }) => (method === 'POST' ? { status: 201 } : { body: profile() }));
  expect(await openProfile(new QueryClient(), USER)).toBeNull();
  expect(calls.map(({ method }) => method).toSorted()).toEqual(['GET', 'POST']);
});

test('when the read fails it is written again; a failing write has its message', async () => {
  const calls = stubNetwork(({ method }) => (method === 'POST' ? { status: 201 } : { status: 406 }));
  expect(await openProfile(new QueryClient(), USER)).toBeNull();
  expect(calls.map(({ method }) => method).toSorted()).toEqual(['GET', 'POST', 'POST']);
  stubNetwork(() => ({ status: 500, body: { message: 'Disk full' } }));
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  expect(await openProfile(queries, USER)).toBe('Failed to create/update profile: Disk full');
});
