import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Working } from './working';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('work says what it is at once, and from its first second on how long it takes and how to stop it', async () => {
  const onStop = vi.fn<() => void>();
  render(
    <Working progress={{ done: 1, of: 3 }} onStop={onStop}>
      Reading a.psbt
    </Working>,
  );
  expect(screen.getByRole('status')).toHaveTextContent('Reading a.psbt');
  expect(screen.queryByRole('button')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.getByRole('timer')).toHaveTextContent('1 s');
  expect(screen.getByRole('progressbar')).toHaveAttribute('value', '1');
  await act(() => vi.advanceTimersByTimeAsync(64_000));
  expect(screen.getByRole('timer')).toHaveTextContent('1 min 5 s');
  act(() => screen.getByRole('button', { name: 'Stop' }).click());
  expect(onStop).toHaveBeenCalledOnce();
});
