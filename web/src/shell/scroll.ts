import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { storedText } from '../lib/storage';

/** Whether the browser restores the position, as it does after back and forward. */
let traversing = false;
/** The path of the screen that shows. A link to a place on the same screen is no traversal. */
let shown = globalThis.location?.pathname;
globalThis.window?.addEventListener('popstate', () => (traversing = location.pathname !== shown));

/** Where the page was left. After a reload the browser scrolls too early, before the page has its height. */
const left = storedText('sessionStorage', 'left');
globalThis.window?.addEventListener('pagehide', () => left.set(`${window.scrollY} ${location.href}`));

function placeAfterReload(): number | null {
  const [navigation] = performance.getEntriesByType('navigation');
  const [top = '', address] = left.get()?.split(' ') ?? [];
  return Reflect.get(navigation ?? {}, 'type') === 'reload' && address === location.href ? Number(top) : null;
}

/** A new screen starts at its top, or at the place in its address; back, forward and a reload keep the position. */
export function useScrollToTop(): void {
  const [path] = useLocation();
  useEffect(() => {
    if (!traversing) {
      const [before, place] = [placeAfterReload(), document.getElementById(location.hash.slice(1))];
      if (before === null && place) place.scrollIntoView();
      else window.scrollTo(0, before ?? 0);
    }
    shown = location.pathname;
    left.remove();
    traversing = false;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new path is the event
  }, [path]);
}
