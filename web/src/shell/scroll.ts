import { useEffect } from 'react';
import { useLocation } from 'wouter';

let traversing = false;
globalThis.window?.addEventListener('popstate', () => (traversing = true));

/** A new screen starts at its top; back and forward keep the position that the browser restores. */
export function useScrollToTop(): void {
  const [path] = useLocation();
  useEffect(() => {
    if (!traversing) window.scrollTo(0, 0);
    traversing = false;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new path is the event
  }, [path]);
}
