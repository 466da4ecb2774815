import type { ReactNode } from 'react';
import { pageAddress, STATIC } from '../lib/site';
import { Bar, DOCUMENTS, Frame, MainNav } from './frame';
import { type DOCUMENT_LINKS, PUBLIC_LINKS } from './navigation';
import { ThemeToggle } from './theme-toggle';

const YEAR = new Date().getFullYear();
type Here = (typeof DOCUMENT_LINKS)[number]['to'];

/** The frame of the documents that check and make proofs. It knows no session, and its links leave for the app with a full load. */
export function BareFrame({ here, children }: { here: Here; children: ReactNode }) {
  return (
    <Frame
      link="a"
      year={YEAR}
      header={
        <Bar link="a" home={STATIC ? pageAddress('/verify') : '/leaderboard'}>
          <MainNav links={[...(STATIC ? [] : PUBLIC_LINKS), ...DOCUMENTS]} inside="a" path={pageAddress(here)} />
          <div className="ml-auto">
            <ThemeToggle />
          </div>
        </Bar>
      }
    >
      {children}
    </Frame>
  );
}
