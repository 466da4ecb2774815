import type { ReactNode } from 'react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type { Session } from '../features/session/context';
import { WithSession } from './session';

interface Where {
  path?: string;
  session?: Partial<Session>;
}

/** Draws a screen as the app would, without the app around it. The result tells where the screen has led. */
export function open(screen: ReactNode, { path = '/', session = {} }: Where = {}) {
  const location = memoryLocation({ path, record: true });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { unmount } = render(
    <QueryClientProvider client={queries}>
      <Router hook={location.hook} searchHook={location.searchHook}>
        <WithSession session={session}>{screen}</WithSession>
      </Router>
    </QueryClientProvider>,
  );
  return { path: () => location.history.at(-1), queries, unmount };
}
