import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { firstPage, proseData } from './api/first-page';
import { App } from './app';
import { preload } from './routes';
import { holdEarlyPress } from './shell/early';
import { reportErrors } from './shell/report-errors';
import './styles.css';

async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  // A failure shows in the page itself, which loads it again.
  const loaded = await preload(location.pathname).then(
    () => true,
    () => false,
  );
  const app = (
    <StrictMode>
      <App />
    </StrictMode>
  );
  holdEarlyPress();
  // The server has drawn the page with the data that came with it, and the app takes it over as it stands.
  // It is the page of the bare address: whom a link points at is found by the app.
  if (loaded && root.hasChildNodes() && (firstPage() ?? proseData())) hydrateRoot(root, <Router ssrSearch="">{app}</Router>);
  else createRoot(root).render(app);
}

reportErrors();
// Not awaited: the pages import what stands in this file, and would wait for it.
void start();
