import { useEffect, useState } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { listen } from '../lib/listen';
import { API, hearOfBoard } from './client';
import { numberOnScreen } from './board';
import { PROFILES_KEY } from './queries';

/**
 * Returns a function that refetches everything about profiles: active queries now, others when they are next used. Events during a
 * round cause exactly one more. Each round first waits a random time up to `spreadMs()`, so that many open pages do not ask at once.
 */
export function createRefresher(client: QueryClient, spreadMs: () => number = () => 0): (number?: number) => void {
  let running = false;
  let again = false;
  const run = async () => {
    running = true;
    do {
      const pause = Math.random() * spreadMs();
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      // The response covers all events so far.
      again = false;
      await client.invalidateQueries({ queryKey: PROFILES_KEY });
    } while (again);
    running = false;
  };
  return (number = 0) => {
    hearOfBoard(number);
    if (running) again = true;
    else void run();
  };
}

/** How long a stream may be interrupted before the page reports it, and before one that the browser has given up is reopened. */
const LOST_AFTER_MS = 1_500;
const AGAIN_MS = 10_000;

/**
 * Follows the live stream while a screen is open; false once it is lost. An event carries the number of the board and means: fetch again.
 * A hidden tab closes its connection, because a browser keeps only six per origin over HTTP/1.1.
 */
export function useLiveProfiles(): boolean {
  const client = useQueryClient();
  const [live, setLive] = useState(true);
  useEffect(() => {
    let spreadMs = 0;
    const refresh = createRefresher(client, () => spreadMs);
    let stream: EventSource | null = null;
    let dropped = false;
    let losing: number | undefined;
    let opening: number | undefined;
    const lost = () => {
      dropped = true;
      losing ??= window.setTimeout(() => setLive(false), LOST_AFTER_MS);
    };
    const hold = () => {
      window.clearTimeout(losing);
      losing = undefined;
    };
    const open = () => {
      stream?.close();
      const seen = numberOnScreen(client);
      stream = new EventSource(`${API}/rest/v1/profiles/changes${seen === null ? '' : `?seen=${seen}`}`);
      stream.addEventListener('spread', ({ data }) => (spreadMs = Number(data) || 0));
      stream.addEventListener('change', ({ data }) => refresh(Number(data) || 0));
      stream.addEventListener('error', () => {
        lost();
        // The browser reconnects after an interruption, but not after a response that is not a stream.
        if (stream?.readyState === EventSource.CLOSED) opening = window.setTimeout(open, AGAIN_MS);
      });
      stream.addEventListener('open', () => {
        hold();
        setLive(true);
        if (dropped) refresh(); // what happened while the stream was down is unknown
        dropped = false;
      });
    };
    const close = () => {
      window.clearTimeout(opening);
      hold();
      stream?.close();
      stream = null;
    };
    const onVisibility = () => {
      if (document.hidden) {
        close();
        dropped = true;
      } else if (!stream) open();
    };
    const onOnline = () => !document.hidden && open();
    onOnline();
    // The browser may take long to notice that a stream is dead.
    const stops = [listen(document, { visibilitychange: onVisibility }), listen(window, { offline: lost, online: onOnline }), close];
    return () => stops.forEach((stop) => stop());
  }, [client]);
  return live;
}
