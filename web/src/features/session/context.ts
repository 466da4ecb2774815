import { createContext, useContext } from 'react';
import type { Tier } from '../../api/types';
import type { CurrentUser } from './current-user';

/** Shown when a session ended by itself or in another tab. */
export const SESSION_ENDED = 'Your session has ended. Please sign in again.';

/** What to do about an error of the session; null when its message says it. */
export function nextStep(error: string): string | null {
  if (error === 'Failed to logout') return 'You are still signed in. Try again in a moment.';
  return error === SESSION_ENDED ? null : 'Reload the page to try again.';
}

export interface Session {
  currentUser: CurrentUser | null;
  /** Known before the profile has been read. */
  userId: string | null;
  /** True until the session check has ended. */
  isLoading: boolean;
  isAuthenticated: boolean;
  error: string | null;
  /** Null while no plan is chosen. */
  tier: Tier | null;
  /** Applies a tier that the server has accepted. */
  setTier: (tier: Tier) => void;
  /** Starts a sign-in; the browser leaves the page. Throws an error to show. */
  login: (provider: string) => Promise<void>;
  /** Signs out everywhere. False when it failed, with `error` set. */
  logout: () => Promise<boolean>;
  /** Loads the session that a sign-in has just made. */
  completeSignIn: () => Promise<void>;
  dismissError: () => void;
}

export const SessionContext = createContext<Session | null>(null);

/** The session of this browser. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a SessionProvider above it');
  return session;
}
