import { StrictMode, useState, type ReactNode } from 'react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { ChevronDown, LogOut, UserRound } from 'lucide-react';
import { logoutWanted, shownAccount } from '../lib/shown-account';
import { pageAddress, STATIC } from '../lib/site';
import { Button, buttonClass } from '../ui/button';
import { Menu } from '../ui/menu';
import { ErrorBoundary } from './error-boundary';
import { Bar, Frame, MENU_LINK } from './frame';
import { headerLinks } from './navigation';

const YEAR = new Date().getFullYear();
const ICON = 'size-4';

/** Shows a screen of the documents that check and make proofs. They know no session. */
export function openDocument(here: '/verify' | '/prove', screen: ReactNode): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('the document has no #root');
  // What a visitor chooses to ask is asked once; on a machine without a network a local server still answers.
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity, networkMode: 'always' }, mutations: { networkMode: 'always' } } });
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <QueryClientProvider client={queries}>
          <BareFrame here={here}>{screen}</BareFrame>
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>,
  );
}

const goTo = (path: string) => location.assign(path);

/** The app signs out: this document has no session. */
function logout(): void {
  logoutWanted.set('1');
  goTo('/login');
}

/** The header of the app as plain links, which leave for it with a full load. */
function BareFrame({ here, children }: { here: '/verify' | '/prove'; children: ReactNode }) {
  const [account] = useState(() => (STATIC ? null : shownAccount.get()));
  const upgrade = account === 'free';
  const login = !STATIC && account === null;
  const more = (
    <>
      {account && (
        <a href="/profile" className={MENU_LINK}>
          View Profile
        </a>
      )}
      <div className="grid gap-2 pt-3">
        {upgrade && (
          <a href="/choose-plan" className={buttonClass('primary')}>
            Upgrade
          </a>
        )}
        {login && (
          <a href="/login" className={buttonClass('primary')}>
            Login
          </a>
        )}
        {account && (
          <Button look="secondary" onClick={logout}>
            Logout
          </Button>
        )}
      </div>
    </>
  );
  const header = (
    <Bar link="a" home={STATIC ? pageAddress('/verify') : '/leaderboard'} links={headerLinks(account !== null)} path={pageAddress(here)} more={STATIC ? null : more}>
      {upgrade && (
        <a href="/choose-plan" className={buttonClass('primary', 'medium', 'max-lg:hidden')}>
          Upgrade
        </a>
      )}
      {account && (
        <Menu
          name="Account"
          label={
            <>
              <UserRound className="size-5" aria-hidden="true" />
              <span className="sr-only sm:not-sr-only">Profile</span>
              <ChevronDown className="hidden size-4 sm:block" aria-hidden="true" />
            </>
          }
          items={[
            { icon: <UserRound className={ICON} aria-hidden="true" />, text: 'View Profile', onSelect: () => goTo('/profile') },
            { icon: <LogOut className={ICON} aria-hidden="true" />, text: 'Logout', onSelect: logout },
          ]}
        />
      )}
      {login && (
        <a href="/login" className={buttonClass('secondary', 'medium', 'max-sm:hidden')}>
          Login
        </a>
      )}
    </Bar>
  );
  return (
    <Frame link="a" year={YEAR} header={header}>
      {children}
    </Frame>
  );
}
