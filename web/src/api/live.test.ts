import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { createRefresher } from './live';
import { PROFILES_KEY } from './queries';

test('a crowd of pages spreads its questions, and each asks once for what it heard of meanwhile', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const client = new QueryClient();
  const invalidate = vi.spyOn(client, 'invalidateQueries').mockResolvedValue();
  const refresh = createRefresher(client, () => 900);

  refresh();
  await vi.advanceTimersByTimeAsync(449);
  refresh();
  expect(invalidate).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(invalidate).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(invalidate).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});

test('events that arrive during a refetch cause exactly one more', async () => {
  const client = new QueryClient();
  const finish: (() => void)[] = [];
  const invalidate = vi
    .spyOn(client, 'invalidateQueries')
    .mockImplementation(() => new Promise<void>((resolve) => finish.push(resolve)));
  const refresh = createRefresher(client);

  refresh();
  refresh();
  refresh();
  expect(invalidate).toHaveBeenCalledTimes(1);
  expect(invalidate).toHaveBeenCalledWith({ queryKey: PROFILES_KEY });
  finish[0]?.();
  await vi.waitFor(() => expect(invalidate).toHaveBeenCalledTimes(2));
  finish[1]?.();
  await Promise.resolve();
  refresh();
  await vi.waitFor(() => expect(invalidate).toHaveBeenCalledTimes(3));
});
