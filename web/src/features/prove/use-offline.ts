import { useEffect, useState } from 'react';
import { useReady } from '../verify/use-ready';

/** Loads all that the page may need later, so that it works without a connection; whether it is there. */
export function useOffline(): boolean {
  const ready = useReady();
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    let left = false;
    const parts = () => Promise.all([import('../upload/made-codes'), import('../upload/scan-dialog')]);
    if (ready) {
      parts().then(
        () => !left && setLoaded(true),
        () => {}, // what is missing is loaded when it is needed
      );
    }
    return () => {
      left = true;
    };
  }, [ready]);
  return loaded;
}
