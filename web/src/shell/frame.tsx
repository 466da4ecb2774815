import type { ElementType, ReactNode } from 'react';
import { pageAddress, STATIC } from '../lib/site';
import { BitcoinLogo } from '../ui/logo';
import { DOCUMENT_LINKS } from './navigation';

/** The app's link component, or a plain `a` in the other documents. */
export type LinkElement = ElementType<{ href: string; className?: string; 'aria-current'?: 'page' | undefined; children: ReactNode }>;

interface FrameProps {
  link: LinkElement;
  header: ReactNode;
  year: ReactNode;
  children: ReactNode;
}

/** The footer's links into the app; none where there is no board. */
const LINKS = STATIC ? [] : [
  { to: '/leaderboard', label: 'Leaderboard' },
  { to: '/how-it-works', label: 'How It Works' },
  { to: '/inspect', label: 'Inspect a file' },
  { to: '/privacy-policy', label: 'Privacy Policy' },
  { to: '/terms-of-service', label: 'Terms of Service' },
];

/** What the server itself sends, and a place in the guide: all of them full loads. */
const FILES = STATIC ? [] : [
  { to: '/log/checkpoint', label: 'Board log' },
  { to: '/api/functions/v1/board.csv', label: 'Board as CSV' },
  { to: '/api/functions/v1/board.json', label: 'Board as JSON' },
  { to: '/how-it-works#embed', label: 'Embed a row' },
];

const FOOT_LINK = 'rounded py-1 hover:text-ink hover:underline';

/** Header, content and footer of every screen. */
export function Frame({ link: To, header, year, children }: FrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-50 rounded-lg bg-accent px-4 py-2 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      {header}
      {/* The footer starts below the window, so that a short page does not move it. */}
      <main id="main" tabIndex={-1} className="min-h-[calc(100svh-4rem)] flex-1 print:min-h-0">
        {children}
      </main>
      <footer className="print:hidden border-t border-line bg-surface">
        <div className="mx-auto flex max-w-6xl flex-col items-center justify-between gap-4 px-4 py-8 text-sm text-muted sm:flex-row sm:px-6">
          <nav aria-label="Footer" className="flex flex-wrap justify-center gap-x-6 gap-y-2 sm:justify-start">
            {LINKS.map(({ to, label }) => (
              <To key={to} href={to} className={FOOT_LINK}>
                {label}
              </To>
            ))}
            {DOCUMENT_LINKS.map(({ to, label }) => (
              <a key={to} href={pageAddress(to)} className={FOOT_LINK}>
                {label}
              </a>
            ))}
            {FILES.map(({ to, label }) => (
              <a key={to} href={to} className={FOOT_LINK}>
                {label}
              </a>
            ))}
          </nav>
          <p className="whitespace-nowrap">© {year} Proof of Reserves</p>
        </div>
      </footer>
    </div>
  );
}

interface BarProps {
  link: LinkElement;
  /** The address of the brand. */
  home: string;
  /** The open menu below it. */
  menu?: ReactNode;
  children: ReactNode;
}

/** The bar at the top of the window, which begins with the brand. */
export function Bar({ link: To, home, menu, children }: BarProps) {
  return (
    <header className="print:hidden sticky top-0 z-40 border-b border-line bg-surface/95 backdrop-blur">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-4 sm:px-6">
        <To href={home} className="flex items-center gap-2.5 rounded-lg py-1 pr-2">
          <BitcoinLogo />
          <span className="text-base font-bold tracking-tight whitespace-nowrap sm:text-lg">Proof of Reserves</span>
        </To>
        {children}
      </div>
      {menu}
    </header>
  );
}
