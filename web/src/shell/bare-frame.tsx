import { StrictMode, type ReactNode } from 'react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { pageAddress, STATIC } from '../lib/site';
import { ErrorBoundary } from './error-boundary';
import { Bar, DOCUMENTS, Frame } from './frame';
import { type DOCUMENT_LINKS, PUBLIC_LINKS } from './navigation';

const YEAR = new Date().getFullYear();
type Here = (typeof DOCUMENT_LINKS)[number]['to'];

/** Shows a screen of the documents that check and make proofs. They know no session. */
export function openDocument(here: Here, screen: ReactNode): void {
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

/** Its links leave for the app with a full load. */
function BareFrame({ here, children }: { here: Here; children: ReactNode }) {
  return (
    <Frame
      link="a"
      year={YEAR}
      header={<Bar link="a" home={STATIC ? pageAddress('/verify') : '/leaderboard'} links={[...(STATIC ? [] : PUBLIC_LINKS), ...DOCUMENTS]} path={pageAddress(here)} />}
    >
      {children}
    </Frame>
  );
}
