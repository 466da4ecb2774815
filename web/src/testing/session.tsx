import type { ReactNode } from 'react';
import { SessionContext, type Session } from '../features/session/context';
import type { CurrentUser } from '../features/session/current-user';

export const USER: CurrentUser = {
  id: '8b1b4444-46c1-4faa-87cc-058597cdbc80',
  email: null,
  name: 'Satoshi',
  username: 'satoshi',
  avatarUrl: null,
  provider: 'twitter',
  verified: false,
  bitcoinHoldings: null,
  lastVerified: null,
  rank: null,
  tier: 'free',
};

const SIGNED_OUT: Session = {
  currentUser: null,
  userId: null,
  isLoading: false,
  isAuthenticated: false,
  error: null,
  tier: null,
  setTier: () => {},
  login: async () => {},
  logout: async () => true,
  completeSignIn: async () => {},
  dismissError: () => {},
};

/** A session as the test needs it; signed out unless it says otherwise. */
export function WithSession({ session, children }: { session?: Partial<Session>; children: ReactNode }) {
  return <SessionContext value={{ ...SIGNED_OUT, ...session }}>{children}</SessionContext>;
}

/** The session of a signed-in user. */
export function signedIn(tier: CurrentUser['tier'] = 'free'): Partial<Session> {
  return { currentUser: { ...USER, tier }, userId: USER.id, isAuthenticated: true, tier };
}
