import { useState } from 'react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { ApiError } from './api/client';
import { SessionProvider } from './features/session/provider';
import { Routes } from './routes';
import { ErrorBoundary } from './shell/error-boundary';
import { Layout } from './shell/layout';

/** Retries a missing response or a gateway's error. */
function retryable(failures: number, error: unknown): boolean {
  return failures < 2 && error instanceof ApiError && [0, 502, 503, 504].includes(error.status);
}

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // 'always': a development server answers on the loopback of a machine without a network.
      queries: { retry: retryable, staleTime: 10_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

export function App() {
  const [queries] = useState(createQueryClient);
  const [path] = useLocation();
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queries}>
        <SessionProvider>
          <Layout>
            <ErrorBoundary key={path}>
              <Routes />
            </ErrorBoundary>
          </Layout>
        </SessionProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}
