import { lazy, Suspense, useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { PROFILES_KEY } from '../api/queries';

/** How long the page is left alone when it shows no rows. */
const QUIET_MS = 15_000;

/** Without it the page goes on: a version that was published meanwhile has another file. */
const LogAlarm = lazy(() => import('../features/board-log/log-alarm').catch(() => ({ default: () => null })));

/** Has the log of the board looked at as soon as rows are shown, or nothing else is to be done. */
export function LogWatch() {
  const [awake, setAwake] = useState(false);
  const queries = useQueryClient();
  useEffect(() => {
    const timer = window.setTimeout(() => setAwake(true), QUIET_MS);
    const areThere = () => queries.getQueryCache().findAll({ queryKey: PROFILES_KEY, predicate: ({ state }) => state.status === 'success' }).length > 0;
    const stop = queries.getQueryCache().subscribe(() => {
      if (areThere()) setAwake(true);
    });
    return () => {
      window.clearTimeout(timer);
      stop();
    };
  }, [queries]);
  if (!awake) return null;
  return (
    <Suspense fallback={null}>
      <LogAlarm />
    </Suspense>
  );
}
