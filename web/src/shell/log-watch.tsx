import { useEffect, useState } from 'react';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { PROFILES_KEY } from '../api/queries';
import { later } from '../ui/later';

/** How long the watch waits when the page shows no rows. */
const QUIET_MS = 15_000;

/** Without it the page works too: a newer version has another file. */
const LogAlarm = later(() => import('../features/board-log/log-alarm').catch(() => ({ default: () => null })));

/** Looks at the board's log as soon as rows are shown, or when the page has been quiet for a while. */
export function LogWatch() {
  const [awake, setAwake] = useState(false);
  const queries = useQueryClient();
  useEffect(() => {
    const wake = () => setAwake(true);
    const timers = [window.setTimeout(wake, QUIET_MS)];
    const board = { queryKey: [...PROFILES_KEY, 'board'], predicate: ({ state }: Query) => state.status === 'success' };
    const stop = queries.getQueryCache().subscribe(() => {
      if (timers.length > 1) return;
      // Later: the cache also changes while another component renders.
      if (queries.getQueryCache().find({ ...board, exact: false })) timers.push(window.setTimeout(wake));
    });
    return () => {
      for (const timer of timers) window.clearTimeout(timer);
      stop();
    };
  }, [queries]);
  if (!awake) return null;
  return <LogAlarm />;
}
