import type { Provider as LibraryProvider } from '@supabase/auth-js';
import { UserFacingError } from '../../lib/errors';
import type { AppConfig } from '../../api/types';
import { MOCK } from '../../lib/names';
import { storageWorks } from '../../lib/storage';
import { authClient } from './auth-client';

type LoginConfig = Pick<AppConfig, 'development' | 'sign_in'>;

/** Why this sign-in cannot start, for the user; null when it can. */
export function loginRefusal(provider: string, config: LoginConfig): string | null {
  const known = config.sign_in.find(({ name }) => name === provider);
  if (!known) return `Unsupported provider: ${provider}`;
  if (provider === MOCK) {
    return config.development ? null : 'Mock login is only available in development mode.';
  }
  if (config.development) return `OAuth login (${provider}) is disabled in development mode. Use mock login.`;
  // The server's sentence.
  return known.on ? null : `Sign-in with ${provider} is not set up on this server.`;
}

/** Sends the browser to the provider, which returns it to /auth/callback. Throws an error to show. */
export async function startLogin(provider: string, config: LoginConfig): Promise<void> {
  const refusal = loginRefusal(provider, config);
  if (refusal) throw new UserFacingError(refusal);
  if (!storageWorks()) throw new UserFacingError('Your browser blocks storage for this site, which signing in needs. Allow cookies and site data for it, then try again.');
  const auth = await authClient();
  const { error } = await auth.signInWithOAuth({
    provider: provider as LibraryProvider, // the library's list does not know the mock
    options: { redirectTo: `${window.location.origin}/auth/callback` },
  });
  if (error) throw new UserFacingError(`Failed to login with ${provider}`);
}
