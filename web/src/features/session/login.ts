import type { Provider as LibraryProvider } from '@supabase/auth-js';
import type { AppConfig } from '../../api/types';
import { authClient } from './auth-client';

type LoginConfig = Pick<AppConfig, 'development' | 'sign_in'>;

/** The reason why this sign-in cannot start, in the words for the person; null when it can. */
export function loginRefusal(provider: string, config: LoginConfig): string | null {
  if (!config.sign_in.some(({ name }) => name === provider)) return `Unsupported provider: ${provider}`;
  if (provider === 'mock') {
    return config.development ? null : 'Mock login is only available in development mode.';
  }
  return config.development
    ? `OAuth login (${provider}) is disabled in development mode. Use mock login.`
    : null;
}

/** Sends the browser to the provider, which returns it to /auth/callback. Throws the sentence to show. */
export async function startLogin(provider: string, config: LoginConfig): Promise<void> {
  const refusal = loginRefusal(provider, config);
  if (refusal) throw new Error(refusal);
  const auth = await authClient();
  const { error } = await auth.signInWithOAuth({
    provider: provider as LibraryProvider, // the library's list does not know the mock
    options: { redirectTo: `${window.location.origin}/auth/callback` },
  });
  if (error) throw new Error(`Failed to login with ${provider}`);
}
