import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { open } from '../testing/render';
import { ErrorBoundary } from './error-boundary';
import { LogWatch } from './log-watch';

// A version that was published since the page was opened.
vi.mock('../features/board-log/log-alarm', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

afterEach(() => vi.useRealTimers());

test('a page whose watch of the log cannot be loaded goes on without it', async () => {
  vi.useFakeTimers();
  open(
    <ErrorBoundary>
      <LogWatch />
      <p>The page</p>
    </ErrorBoundary>,
  );
  await act(async () => vi.advanceTimersByTimeAsync(60_000));
  vi.useRealTimers();
  await act(() => vi.dynamicImportSettled());
  expect(screen.getByText('The page')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});
