import type { User } from '@supabase/auth-js';
import type { QueryClient } from '@tanstack/react-query';
import { messageOf } from '../../api/client';
import { upsertProfile } from '../../api/own-profile';
import { profileQuery } from '../../api/queries';
import type { Profile } from '../../api/types';
import type { CurrentUser } from './context';

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The person as the provider tells of them. */
export function identityOf(user: User) {
  const { user_metadata: meta, app_metadata: app } = user;
  return {
    id: user.id,
    email: user.email ?? null,
    name: text(meta.name) ?? user.email ?? '',
    username: text(meta.preferred_username) ?? text(meta.user_name) ?? `user_${user.id.slice(0, 5)}`,
    avatarUrl: text(meta.avatar_url),
    provider: text(app.provider) ?? 'twitter',
  };
}

/** Copies what the server verified onto the identity; without a profile the defaults stand. */
export function currentUserOf(user: User, profile: Profile | null | undefined): CurrentUser {
  const identity = identityOf(user);
  return {
    ...identity,
    username: profile?.username ?? identity.username,
    verified: profile?.verified ?? false,
    bitcoinHoldings: profile?.bitcoin_holdings ?? null,
    lastVerified: profile?.last_verified ?? null,
    rank: profile?.rank ?? null,
    // A profile without a tier has yet to choose; a profile that cannot be read counts as free.
    tier: profile ? profile.tier : 'free',
  };
}

/**
 * Once per session: writes the profile and reads it, both at once, because the server has made it at sign-in. When the read fails
 * it is written again and the defaults are used. Returns the sentence to show when writing failed.
 */
export async function openProfile(queries: QueryClient, user: User): Promise<string | null> {
  const { id, username, avatarUrl } = identityOf(user);
  const write = async () => {
    try {
      await upsertProfile({ id, username, avatar_url: avatarUrl });
      return null;
    } catch (error) {
      return `Failed to create/update profile: ${messageOf(error, 'unknown error')}`;
    }
  };
  const read = () => queries.fetchQuery({ ...profileQuery(id), staleTime: 0 }).catch(() => null);
  const [failure, profile] = await Promise.all([write(), read()]);
  return profile ? failure : await write();
}
