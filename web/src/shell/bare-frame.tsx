import type { ReactNode } from 'react';
import { pageAddress, STATIC } from '../lib/site';
import { buttonClass } from '../ui/button';
import { Bar, Frame } from './frame';
import { DOCUMENT_LINKS, PUBLIC_LINKS } from './navigation';
import { ThemeToggle } from './theme-toggle';

const YEAR = new Date().getFullYear();
type Here = (typeof DOCUMENT_LINKS)[number]['to'];

/** The frame of the documents that check and make proofs. It knows no session, and its links leave for the app with a full load. */
export function BareFrame({ here, children }: { here: Here; children: ReactNode }) {
  return (
    <Frame link="a" header={<BareBar here={here} />} year={YEAR}>
      {children}
    </Frame>
  );
}

function BareBar({ here }: { here: Here }) {
  const documents = DOCUMENT_LINKS.map(({ to, label }) => ({ to: pageAddress(to), label, isHere: to === here }));
  const links = [...(STATIC ? [] : PUBLIC_LINKS.map(({ to, label }) => ({ to, label, isHere: false }))), ...documents];
  return (
    <Bar link="a" home={STATIC ? pageAddress('/verify') : '/leaderboard'}>
      <nav aria-label="Main" className="ml-4 hidden items-center gap-1 lg:flex">
        {links.map(({ to, label, isHere }) => (
          <a key={to} href={to} aria-current={isHere ? 'page' : undefined} className={buttonClass('ghost', 'small', isHere ? 'bg-raised text-ink' : '')}>
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
