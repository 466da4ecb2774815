import { createContext, useContext } from 'react';
import type { Tier } from '../../api/types';

/** What is said to whoever has not ended the session, or not here. */
export const SESSION_ENDED = 'Your session has ended. Please sign in again.';

/** The signed-in person: what the provider said, and what the server verified. */
export interface CurrentUser {
  id: string;
  email: string | null;
  /** Falls back to the email address. */
  name: string;
  username: string;
  avatarUrl: string | null;
  provider: string;
  verified: boolean;
  bitcoinHoldings: number | null;
  lastVerified: string | null;
  rank: number | null;
  tier: Tier | null;
}

export interface Session {
  currentUser: CurrentUser | null;
  /** Whose session it is, as soon as that is known: before the profile has been read. */
  userId: string | null;
  /** True until the session check has ended. */
  isLoading: boolean;
  isAuthenticated: boolean;
  error: string | null;
  /** Null while no plan is chosen. */
  tier: Tier | null;
  /** Shows a tier that the server has just accepted. */
  setTier: (tier: Tier) => void;
  /** Starts a sign-in; the browser leaves the page. Throws the sentence to show. */
  login: (provider: string) => Promise<void>;
  /** Signs out everywhere. False when it failed, with `error` set. */
  logout: () => Promise<boolean>;
  /** Looks for the session that a sign-in has just made. */
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
