import { type ReactNode, useEffect } from 'react';
import { X } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { nextStep, useSession } from '../features/session/context';
import { useNavigations } from '../ui/arrival';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { storedText } from '../lib/storage';
import { Frame } from './frame';
import { Header } from './header';
import { LogWatch } from './log-watch';

const YEAR = new Date().getFullYear();

/** The frame of every screen of the app. */
export function Layout({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  useNavigations(path);
  useScrollToTop();
  return (
    <Frame link={Link} header={<Header />} year={YEAR}>
      <SessionTrouble />
      <LogWatch />
      {children}
    </Frame>
  );
}

/** The session's error; the login screen shows it in its own box. */
function SessionTrouble() {
  const { error, dismissError } = useSession();
  const [path] = useLocation();
  if (!error || path === '/login') return null;
  return (
    <div className="mx-auto max-w-6xl px-4 pt-6 sm:px-6">
      <Notice tone="warning" role="alert">
        <div className="flex items-start justify-between gap-4">
          <p>
            {error} {nextStep(error)}
          </p>
          <Button look="ghost" size="icon" className="-my-2" aria-label="Dismiss" onClick={dismissError}>
            <X className="size-4" aria-hidden="true" />
          </Button>
        </div>
      </Notice>
    </div>
  );
}

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
function useScrollToTop(): void {
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
