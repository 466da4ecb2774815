import { useSyncExternalStore } from 'react';
import { useQuery } from '@tanstack/react-query';
import { listen } from '../lib/listen';
import { done, publicApi } from './client';

const onChange = (listener: () => void) => listen(window, { online: listener, offline: listener });

/** The pause before another check, in milliseconds: a response may date from just before the loss. */
const CHECK_AGAIN_MS = 3000;

/**
 * Whether our server can be reached. The browser's own flag is also "offline" on a machine without a network, where a local server
 * still answers; so a request checks it.
 */
export function useOnline(): boolean {
  const isOnline = useSyncExternalStore(onChange, () => navigator.onLine, () => true);
  const check = useQuery({
    queryKey: ['reachable'],
    queryFn: () => done(publicApi.GET('/api/functions/v1/app-config', { cache: 'no-store' })).then(() => true, () => false),
    enabled: !isOnline,
    refetchInterval: CHECK_AGAIN_MS,
    staleTime: 0,
  });
  return isOnline || check.data !== false;
}
