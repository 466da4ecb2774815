import { api, done } from './client';
import type { Profile } from './types';

/** Creates or updates the signed-in user's profile. Only the server writes verification and holdings. */
export async function upsertProfile(profile: Pick<Profile, 'id' | 'username' | 'avatar_url'>): Promise<void> {
  await done(
    api.POST('/api/rest/v1/profiles', {
      params: { query: { on_conflict: 'id' } },
      headers: { Prefer: 'resolution=merge-duplicates' },
      body: { ...profile, updated_at: new Date().toISOString() },
    }),
  );
}
