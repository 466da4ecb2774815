import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { stubNetwork } from '../testing/network';
import { boardPageQuery } from './board';
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

test('rows of a replica that is behind are asked for again until they are as new as the event', async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const numbers = ['3', '4', '5'];
  const calls = stubNetwork(() => ({ body: [], headers: { 'Board-Number': numbers.shift() ?? '5' } }));
  const rows = new QueryObserver(client, boardPageQuery({ search: '', verifiedOnly: false, tier: null }, 1));
  const stop = rows.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  createRefresher(client)(5);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(rows.getCurrentResult().data?.number).toBe(5);
  expect(calls).toHaveLength(3);
  stop();
  vi.useRealTimers();
});

test('rows out of sight are not fetched again', async () => {
  const client = new QueryClient();
  const queryFn = vi.fn(async () => ({ number: 1 }));
  await client.prefetchQuery({ queryKey: [...PROFILES_KEY, 'board', 'all', 7], queryFn });
  createRefresher(client)(5);
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  expect(queryFn).toHaveBeenCalledTimes(1);
});
