import type { User } from '@supabase/auth-js';
import type { QueryClient } from '@tanstack/react-query';
import { messageOf } from '../../lib/errors';
import { upsertProfile } from '../../api/own-profile';
import { profileQuery } from '../../api/queries';
import type { Profile } from '../../api/types';
import { HANDLES } from '../../lib/names';

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The user's id, names and picture from the session. */
export function identityOf(user: User) {
  const { user_metadata: meta, app_metadata: app } = user;
  return {
    id: user.id,
    email: user.email ?? null,
    /** Falls back to the email address. */
    name: text(meta.name) ?? user.email ?? '',
    username: text(meta.preferred_username) ?? text(meta.user_name) ?? `user_${user.id.slice(0, 5)}`,
    avatarUrl: text(meta.avatar_url),
    provider: text(app.provider) ?? HANDLES,
  };
}

/** The signed-in user: claims of the provider, and what the server verified. Without a profile the defaults apply. */
export function currentUserOf(user: User, profile: Profile | null | undefined) {
  const identity = identityOf(user);
  return {
    ...identity,
    username: profile?.username ?? identity.username,
    verified: profile?.verified ?? false,
    bitcoinHoldings: profile?.bitcoin_holdings ?? null,
    lastVerified: profile?.last_verified ?? null,
    rank: profile?.rank ?? null,
    // A profile without a tier has yet to choose; a profile that cannot be read counts as free.
    tier: profile ? profile.tier : ('free' as const),
  };
}

export type CurrentUser = ReturnType<typeof currentUserOf>;

/**
 * Once per session: writes and reads the profile in parallel, because the server created it at sign-in. When the read fails, it is
 * written again and the defaults apply. Returns the message of a failed write.
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
