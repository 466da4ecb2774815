import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button';
import { Bar, Frame } from './frame';
import { CHECK_LINK, PUBLIC_LINKS } from './navigation';
import { ThemeToggle } from './theme-toggle';

const YEAR = new Date().getFullYear();

/** The frame of the document that checks proofs. It knows no session, and its links leave for the app with a full load. */
export function BareFrame({ children }: { children: ReactNode }) {
  return (
    <Frame link="a" header={<BareBar />} year={YEAR}>
      {children}
    </Frame>
  );
}

function BareBar() {
  return (
    <Bar link="a" home="/leaderboard">
      <nav aria-label="Main" className="ml-4 hidden items-center gap-1 lg:flex">
        {[...PUBLIC_LINKS, CHECK_LINK].map(({ to, label }) => (
          <a key={to} href={to} aria-current={to === CHECK_LINK.to ? 'page' : undefined} className={buttonClass('ghost', 'small', to === CHECK_LINK.to ? 'bg-raised text-ink' : '')}>
            {label}
          </a>
        ))}
      </nav>
      <div className="ml-auto">
        <ThemeToggle />
      </div>
    </Bar>
  );
}
