import { lazy, Suspense, useEffect, useState } from 'react';

/** How long the page is left alone first. */
const QUIET_MS = 15_000;

/** Without it the page goes on: a version that was published meanwhile has another file. */
const LogAlarm = lazy(() => import('../features/board-log/log-alarm').catch(() => ({ default: () => null })));

/** Has the log of the board looked at once nothing else is to be done. */
export function LogWatch() {
  const [awake, setAwake] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setAwake(true), QUIET_MS);
    return () => window.clearTimeout(timer);
  }, []);
  if (!awake) return null;
  return (
    <Suspense fallback={null}>
      <LogAlarm />
    </Suspense>
  );
}
