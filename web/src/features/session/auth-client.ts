import type { AuthClient } from '@supabase/auth-js';
import { API, connectSession } from '../../api/client';
import { storedText } from '../../lib/storage';
import { isLeaving } from './wanted';

/** The key of localStorage under which the client library keeps the session. */
export const STORAGE_KEY = 'proof-session';
export const storedSession = storedText('localStorage', STORAGE_KEY);

export type Auth = InstanceType<typeof AuthClient>;
let loading: Promise<Auth> | null = null;

/**
 * The sign-in library, loaded the first time it is needed: a visitor never pays for it.
 * It refreshes tokens by itself (looks every 30 s, refreshes when 90 s or less remain).
 */
export function authClient(): Promise<Auth> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Auth> {
  const library = await import('@supabase/auth-js');
  const auth = new library.AuthClient({
    url: `${window.location.origin}${API}/auth/v1`,
    flowType: 'pkce',
    storage: window.localStorage,
    storageKey: STORAGE_KEY,
    persistSession: true,
    autoRefreshToken: true,
    // The callback screen exchanges the code itself, to show errors.
    detectSessionInUrl: false,
  });
  connectSession({ token: async () => (await auth.getSession()).data.session?.access_token ?? null, lives: () => stillLives(auth) });
  return auth;
}

/** Errors of the library that mean that the session is over. */
const OVER = new Set(['AuthApiError', 'AuthSessionMissingError']);

const TOO_MANY = 429;

/** After a refused token: whether the session is alive. One that ended elsewhere ends here too (decisions, D9). */
async function stillLives(auth: Auth): Promise<boolean> {
  // The user is signing out or has deleted the account.
  if (isLeaving()) return false;
  const { error } = await auth.refreshSession();
  if (error && OVER.has(error.name) && error.status !== TOO_MANY) await auth.signOut({ scope: 'local' });
  return error === null;
}

/** Whether this browser holds a session, without loading the library. */
export function hasStoredSession(): boolean {
  return storedSession.get() !== null;
}
