import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BoardSummary } from '../../api/types';
import { open } from '../../testing/render';
import { BoardHead } from './board-head';

const SUMMARY: BoardSummary = {
  people: 3,
  holders: 2,
  bitcoin: 21.5,
  tiers: [],
  block: { height: 900_000, since: '2026-11-20T12:00:00Z' },
};
const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The head so many minutes after the block has come. */
function show(minutes: number) {
  vi.setSystemTime(Date.parse('2026-11-20T12:00:00Z') + minutes * MINUTE);
  open(<BoardHead summary={SUMMARY} told={Date.now()} trouble={null} tier={null} onTier={() => {}} />);
  return screen.getByRole('status');
}

test.each([
  [-1, 'just now'],
  [0.9, 'just now'],
  [1, '1 min ago'],
  [119, '119 min ago'],
  [120, '2 h ago'],
])('%d minutes after a block it is %s', (minutes, ago) => {
  expect(show(minutes)).toHaveTextContent(`Checked to block 900,000 · ${ago} · live`);
});

test('a board that stays open grows older', () => {
  const status = show(5);
  expect(status).toHaveTextContent('· 5 min ago ·');
  act(() => void vi.advanceTimersByTime(3 * MINUTE));
  expect(status).toHaveTextContent('· 8 min ago ·');
});

test('it calls on the reader to prove what is theirs', () => {
  show(1);
  expect(screen.getByRole('link', { name: 'Prove Your Bitcoin' })).toHaveAttribute('href', '/upload');
});
