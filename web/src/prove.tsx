/** The pages that make and ask for a proof for one reader: a separate document, so that it contains nothing of a session. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AskPage } from './features/prove/ask-page';
import { ProvePage } from './features/prove/prove-page';
import { BareFrame } from './shell/bare-frame';
import { ErrorBoundary } from './shell/error-boundary';
import './styles.css';

/** Below whatever path the pages are hosted. */
const isAsk = /\/ask(\/(index\.html)?)?$/.test(location.pathname);

const root = document.getElementById('root');
if (!root) throw new Error('prove.html has no #root');
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <BareFrame here="/prove">{isAsk ? <AskPage address={location} /> : <ProvePage />}</BareFrame>
    </ErrorBoundary>
  </StrictMode>,
);
