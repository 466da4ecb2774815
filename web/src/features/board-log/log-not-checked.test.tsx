import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { keptLog } from '../../lib/board-log/checkpoints';
import { stubNetwork } from '../../testing/network';
import { open } from '../../testing/render';
import LogAlarm from './log-alarm';
import './log-notice';

vi.mock('psbt-wasm/bundler/log', () => ({
  get functions() {
    throw new TypeError('Failed to fetch dynamically imported module');
  },
}));

const ROOT = btoa('\u0001'.repeat(32));

test('a page that cannot load the checks says that nothing was checked, and neither that it is right nor that it is wrong', async () => {
  vi.useFakeTimers();
  const before = `${location.host}/log\n3\n${ROOT}\n\n\u2014 ${location.host}/log AAAAAAA=\n`;
  localStorage.setItem('board-log', JSON.stringify({ checkpoint: before, keys: ['key'], until: [] }));
  stubNetwork(({ url }) => (url.pathname.endsWith('/app-config') ? { body: { log: '/log' } } : { text: before.replace('\n3\n', '\n2\n') }));
  open(<LogAlarm />);
  await act(async () => vi.advanceTimersByTimeAsync(90_000));
  vi.useRealTimers();
  expect(await screen.findByRole('status')).toHaveTextContent('Couldn’t check the board’s history');
  expect(screen.getByRole('status')).toHaveTextContent('This page couldn’t load what checks the board’s log.');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(keptLog(location.host)?.checkpoint).toBe(before);
});
