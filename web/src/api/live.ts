import { useEffect } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { API } from './client';
import { PROFILES_KEY } from './queries';

/**
 * Refetches everything about profiles; events that arrive meanwhile cause exactly one more round. Each waits at random for up to
 * `spreadMs()` first: many pages hear of a change at once, and all would ask in the same moment.
 */
export function createRefresher(client: QueryClient, spreadMs: () => number = () => 0): () => void {
  let running = false;
  let again = false;
  const run = async () => {
    running = true;
    do {
      const pause = Math.random() * spreadMs();
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      // Whatever was said until now is in the answer.
      again = false;
      await client.invalidateQueries({ queryKey: PROFILES_KEY });
    } while (again);
    running = false;
  };
  return () => {
    if (running) again = true;
    else void run();
  };
}

/**
 * Follows the live stream while a screen is open. The events carry no data: each one is a hint to refetch.
 * A hidden tab lets go of its connection, because a browser keeps only six per origin over HTTP/1.1.
 */
export function useLiveProfiles(): void {
  const client = useQueryClient();
  useEffect(() => {
    let spreadMs = 0;
    const refresh = createRefresher(client, () => spreadMs);
    let stream: EventSource | null = null;
    let dropped = false;
    const open = () => {
      stream = new EventSource(`${API}/rest/v1/profiles/changes`);
      stream.addEventListener('spread', ({ data }) => (spreadMs = Number(data) || 0));
      stream.addEventListener('change', refresh);
      stream.addEventListener('error', () => (dropped = true));
      stream.addEventListener('open', () => {
        if (dropped) refresh(); // what happened while the stream was down is unknown
        dropped = false;
      });
    };
    const close = () => {
      stream?.close();
      stream = null;
    };
    const onVisibility = () => {
      if (document.hidden) {
        close();
        dropped = true;
      } else if (!stream) open();
    };
    if (!document.hidden) open();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      close();
    };
  }, [client]);
}
