import { useSyncExternalStore } from 'react';
import { done, publicApi } from './client';

/**
 * Whether our server can be reached. The browser's own flag also says "offline" on a machine that has only its
 * loopback, where a local server answers very well; so its "offline" is checked by one call before it is believed.
 */
let online = true;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (next === online) return;
  online = next;
  for (const listener of listeners) listener();
}

async function check(): Promise<void> {
  if (navigator.onLine) return set(true);
  try {
    await done(publicApi.GET('/api/functions/v1/app-config', { cache: 'no-store' }));
    set(true);
  } catch {
    set(navigator.onLine);
  }
}

const onChange = () => void check();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  onChange();
  return () => {
    listeners.delete(listener);
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => online, () => true);
}
