import { useSyncExternalStore } from 'react';
import { listen } from '../lib/listen';
import { done, publicApi } from './client';

/**
 * Whether our server can be reached. The browser's own flag is also "offline" on a machine without a network, where a local server
 * still answers; so one request checks it.
 */
let online = true;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (next === online) return;
  online = next;
  for (const listener of listeners) listener();
}

/** The pause before another check, in milliseconds: a response may date from just before the loss. */
const CHECK_AGAIN_MS = 3000;
let latest = 0;
let again: ReturnType<typeof setTimeout> | undefined;

async function check(): Promise<void> {
  latest += 1;
  const number = latest;
  clearTimeout(again);
  if (navigator.onLine) return set(true);
  const reached = await done(publicApi.GET('/api/functions/v1/app-config', { cache: 'no-store' })).then(
    () => true,
    () => navigator.onLine,
  );
  // A later check has a newer result.
  if (number !== latest || listeners.size === 0) return;
  set(reached);
  again = setTimeout(onChange, CHECK_AGAIN_MS);
}

const onChange = () => void check();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const stop = listen(window, { online: onChange, offline: onChange });
  onChange();
  return () => {
    listeners.delete(listener);
    stop();
    if (listeners.size === 0) clearTimeout(again);
  };
}

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => online, () => true);
}
