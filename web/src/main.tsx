import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { preload } from './routes';
import { reportErrors } from './shell/report-errors';
import './styles.css';

async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  // The page itself tries again and shows a failure.
  await preload(location.pathname).catch(() => {});
  // A transition renders in slices, so a slow phone answers taps meanwhile.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}

reportErrors();
// Not awaited: the pages import this file, and would wait for it.
void start();
