import { useEffect, useState } from 'react';
import { listen } from '../../lib/listen';
import { prepareChecks } from '../../psbt';

/** How long to wait for an idle page at most, and in browsers without `requestIdleCallback`. */
const AT_MOST_MS = 3_000;
const SOON_MS = 500;

/** Loads what checks proofs once the page is at rest; whether it is there, so that a file can be checked offline. */
export function useReady(): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    let left = false;
    const prepare = () => {
      void prepareChecks().then((is) => {
        if (!left) setReady(is);
      });
    };
    const cancel = whenIdle(prepare);
    const stop = listen(window, { online: prepare });
    return () => {
      left = true;
      cancel();
      stop();
    };
  }, []);
  return ready;
}

function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, SOON_MS);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work, { timeout: AT_MOST_MS });
  return () => cancelIdleCallback(idle);
}
