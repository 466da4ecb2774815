import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Look } from '../../lib/board-log/checkpoints';
import { LOG_KEY, watchLog } from './watch';
import { later } from '../../ui/later';

const AGAIN_MS = 60 * 60_000;
/** After answers that say nothing about the log. */
const SOON_MS = 5 * 60_000;

/** Loaded only when there is something to say. An alarm does not depend on that. */
const LogNotice = later(() => import('./log-notice').catch(() => ({ default: PlainAlarm })));

/** One alarm when the board's log does not continue what this browser has seen of it; a quiet notice when that cannot be checked. */
export default function LogAlarm() {
  const { data: outcome } = useQuery({
    queryKey: LOG_KEY,
    queryFn: watchLog,
    refetchInterval: ({ state }) => (state.data?.goesOn === 'unknown' ? SOON_MS : AGAIN_MS),
    staleTime: AGAIN_MS,
    retry: false,
  });
  const [read, setRead] = useState<Look | null>(null);
  if (!outcome || outcome === read || outcome.goesOn === true) return null;
  return (
    <div className="mx-auto max-w-6xl px-4 pt-6 sm:px-6">
      <LogNotice outcome={outcome} onRead={() => setRead(outcome)} />
    </div>
  );
}

function PlainAlarm({ outcome }: { outcome: Exclude<Look, { goesOn: true }> }) {
  return <>{outcome.goesOn === false && <p role="alert">{outcome.reason}</p>}</>;
}
