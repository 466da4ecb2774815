import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BoardSummary } from '../../api/types';
import { open } from '../../testing/render';
import { Checked, type Trouble } from './board-head';
import { barOf } from './histogram';

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

/** Renders the head this many minutes after the newest block. */
function show(minutes: number, trouble: Trouble = null) {
  vi.setSystemTime(Date.parse('2026-11-20T12:00:00Z') + minutes * MINUTE);
  open(<Checked summary={SUMMARY} fetchedAt={Date.now()} trouble={trouble} />);
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

test.each([
  ['stream', /^Live updates paused\. Last update \d+:\d\d/],
  ['api', /^Can’t reach the server\. Showing data from \d+:\d\d/],
] as const)('what is stale says so: %s', (trouble, words) => {
  expect(show(1, trouble)).toHaveTextContent(words);
});

test('one holder is seen beside a thousand, and none is none', () => {
  expect([0, 1, 1000].map((holders) => Math.round(100 * barOf(holders, 1000)))).toEqual([0, 14, 100]);
});
