import { done, publicApi } from '../api/client';
import type { createReporter, LogEntry } from '../lib/log';

const context = () => location.pathname.replace(/[0-9a-f-]{36}/g, ':id');

let reporter: Promise<ReturnType<typeof createReporter>> | null = null;

/** Sends an entry to the server's sink; what decides on it is loaded with the first one. Losing one does no harm. */
function report(level: LogEntry['level'], message: string, source?: string): void {
  const entry = { level, message, context: context() };
  reporter ??= import('../lib/log').then((log) => log.createReporter((body) => void done(publicApi.POST('/api/functions/v1/client-log', { body })).catch(() => {})));
  reporter.then((send) => send(entry, source)).catch(() => (reporter = null));
}

/** Reports uncaught errors, and what the app itself logs. */
export function reportErrors(): void {
  window.addEventListener('error', (event) => report('error', event.message || 'Unknown error', event.filename));
  window.addEventListener('unhandledrejection', (event) => report('error', `Unhandled rejection: ${String(event.reason)}`));
  for (const level of ['error', 'warn'] as const) {
    const original = console[level];
    console[level] = (...values: unknown[]) => {
      original(...values);
      report(level, values.map(String).join(' '));
    };
  }
}
