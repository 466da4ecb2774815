import { done, publicApi } from '../api/client';
import { createReporter } from '../lib/log';

const context = () => location.pathname.replace(/[0-9a-f-]{36}/g, ':id');

/** Sends uncaught errors, and what the app itself logs, to the server's sink. Losing one does no harm. */
export function reportErrors(): void {
  const report = createReporter((entry) => {
    done(publicApi.POST('/api/functions/v1/client-log', { body: entry })).catch(() => {});
  });
  window.addEventListener('error', (event) => {
    report({ level: 'error', message: event.message || 'Unknown error', context: context() }, event.filename);
  });
  window.addEventListener('unhandledrejection', (event) => {
    report({ level: 'error', message: `Unhandled rejection: ${String(event.reason)}`, context: context() });
  });
  for (const level of ['error', 'warn'] as const) {
    const original = console[level];
    console[level] = (...values: unknown[]) => {
      original(...values);
      report({ level, message: values.map(String).join(' '), context: context() });
    };
  }
}
