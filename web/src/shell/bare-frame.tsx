import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button';
import { Bar, Frame } from './frame';
import { PUBLIC_LINKS } from './navigation';
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
        {PUBLIC_LINKS.map(({ to, label }) => (
          <a key={to} href={to} className={buttonClass('ghost', 'small')}>
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
