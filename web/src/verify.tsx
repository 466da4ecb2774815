/** The page that checks proofs: a separate document, so that it contains nothing of a session (decisions, D16). */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { VerifyPage } from './features/verify/verify-page';
import { BareFrame } from './shell/bare-frame';
import { ErrorBoundary } from './shell/error-boundary';
import './styles.css';

const root = document.getElementById('root');
if (!root) throw new Error('verify.html has no #root');
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <BareFrame here="/verify">
        <VerifyPage address={location} />
      </BareFrame>
    </ErrorBoundary>
  </StrictMode>,
);
