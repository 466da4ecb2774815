import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import { useLocation } from 'wouter';
import { useSession } from '../features/session/context';
import { useNavigations } from '../ui/arrival';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { Footer } from './footer';
import { Header } from './header';
import { useScrollToTop } from './scroll';

/** The frame of every screen. */
export function Layout({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  useNavigations(path);
  useScrollToTop();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-50 rounded-lg bg-accent px-4 py-2 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1} className="flex-1">
        <SessionTrouble />
        {children}
      </main>
      <Footer />
    </div>
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
          <p>{error}</p>
          <Button look="ghost" size="icon" className="-my-2" aria-label="Dismiss" onClick={dismissError}>
            <X className="size-4" aria-hidden="true" />
          </Button>
        </div>
      </Notice>
    </div>
  );
}
