import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Session as AuthSession, User } from '@supabase/auth-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { appConfigQuery, profileQuery, PROFILES_KEY } from '../../api/queries';
import type { Profile } from '../../api/types';
import { chosenFile } from '../../lib/chosen-file';
import { listen } from '../../lib/listen';
import { dropProven } from '../share/drop-proven';
import { authClient, hasStoredSession, STORAGE_KEY } from './auth-client';
import { SESSION_ENDED, SessionContext, type Session } from './context';
import { currentUserOf, openProfile } from './current-user';
import { beginLeaving, endLeaving, isLeaving } from './wanted';

/** Holds the session: signed out, then signed in (tokens refreshed by the library), then signed out. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [user, setUser] = useState<User | null>(null);
  const [userId, setUserId] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(hasStoredSession);
  const [error, setError] = useState<string | null>(null);
  const watching = useRef(false);
  const latest = useRef<string | null>(null);
  /** Whether there was a session, which can end. */
  const had = useRef(false);

  /** Applies a session from the library; another one of the same user changes nothing. */
  const accept = useCallback(
    async (session: AuthSession | null) => {
      const next = session?.user ?? null;
      if (next && next.id === latest.current) return;
      latest.current = next?.id ?? null;
      dropProven(queries);
      setUserId(latest.current);
      const ended = next === null && had.current;
      had.current = next !== null;
      if (next) {
        endLeaving();
        setLoading(true);
        const failure = await openProfile(queries, next);
        if (latest.current !== next.id) return; // signed out, or another user, in the meantime
        setError(failure);
      } else {
        queries.removeQueries({ queryKey: PROFILES_KEY, type: 'inactive' });
        if (ended && !isLeaving()) setError(SESSION_ENDED);
      }
      setUser(next);
      setLoading(false);
    },
    [queries],
  );

  const watch = useCallback(async () => {
    if (watching.current) return;
    watching.current = true;
    had.current = hasStoredSession();
    try {
      const auth = await authClient();
      auth.onAuthStateChange((event, session) => {
        // Never awaited: the library waits for its listeners.
        if (event !== 'INITIAL_SESSION') void accept(session);
      });
      const { data, error: failure } = await auth.getSession();
      if (failure) throw failure;
      await accept(data.session);
    } catch {
      watching.current = false;
      latest.current = null;
      setUserId(null);
      setUser(null);
      setLoading(false);
      setError('Failed to check authentication status');
    }
  }, [accept]);

  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- only after the library has answered
    if (hasStoredSession()) void watch();
    const onStorage = (event: StorageEvent) => {
      // No key: everything was removed.
      if (event.key !== STORAGE_KEY && event.key !== null) return;
      // Another tab signed in while this one had not loaded the library.
      if (event.newValue) void watch();
      // Another tab removed the session without the library, as after the account was deleted.
      else if (watching.current) void accept(null);
    };
    return listen(window, { storage: onStorage });
  }, [watch, accept]);

  const profile = useQuery({ ...profileQuery(user?.id ?? ''), enabled: user !== null });
  const session = useMemo<Session>(() => {
    const currentUser = user && currentUserOf(user, profile.data);
    return {
      currentUser,
      userId,
      isLoading,
      isAuthenticated: currentUser !== null,
      error,
      tier: currentUser?.tier ?? null,
      setTier: (tier) =>
        user && queries.setQueryData<Profile | null>(profileQuery(user.id).queryKey, (old) => old && { ...old, tier }),
      login: async (provider) => {
        const config = await queries.ensureQueryData(appConfigQuery());
        // Not on a visitor's first paint.
        const { startLogin } = await import('./login');
        await startLogin(provider, config);
      },
      logout: async () => {
        beginLeaving();
        const { error: failure } = await (await authClient()).signOut();
        if (failure) endLeaving();
        setError(failure ? 'Failed to logout' : null);
        if (!failure) chosenFile.remove();
        return failure === null;
      },
      completeSignIn: watch,
      dismissError: () => setError(null),
    };
  }, [user, userId, profile.data, isLoading, error, queries, watch]);

  return <SessionContext value={session}>{children}</SessionContext>;
}
