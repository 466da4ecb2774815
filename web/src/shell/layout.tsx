import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useSession } from '../features/session/context';
import { useNavigations } from '../ui/arrival';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { Frame } from './frame';
import { Header } from './header';
import { LogWatch } from './log-watch';
import { useScrollToTop } from './scroll';

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
          <p>{error}</p>
          <Button look="ghost" size="icon" className="-my-2" aria-label="Dismiss" onClick={dismissError}>
            <X className="size-4" aria-hidden="true" />
          </Button>
        </div>
      </Notice>
    </div>
  );
}
