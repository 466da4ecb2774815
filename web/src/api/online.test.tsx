import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createElement, type ReactNode } from 'react';
import { useOnline } from './online';

const queries = new QueryClient();
const wrapper = ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client: queries }, children);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('an answer from just before the connection was lost does not hide the loss', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const answers = [Response.json({}), null];
  vi.stubGlobal('fetch', async () => {
    const answer = answers.shift();
    if (answer) return answer;
    throw new TypeError('Failed to fetch');
  });
  const { result, unmount } = renderHook(useOnline, { wrapper });
  await waitFor(() => expect(answers).toHaveLength(1));
  expect(result.current).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(3_500));
  await waitFor(() => expect(result.current).toBe(false), { timeout: 20_000 });
  unmount();
});
