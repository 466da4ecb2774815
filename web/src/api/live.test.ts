import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { createRefresher } from './live';
import { PROFILES_KEY } from './queries';

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
