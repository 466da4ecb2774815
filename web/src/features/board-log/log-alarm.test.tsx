import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { keptLog } from '../../lib/board-log/checkpoints';
import { stubNetwork } from '../../testing/network';
import { open } from '../../testing/render';
import LogAlarm from './log-alarm';
// Loaded here, so that no test waits for them.
import './log-notice';
import { checked } from '../../lib/board-log/checks';

const module = vi.hoisted(() => ({ stranger: false }));

vi.mock('psbt-wasm/bundler/log', async (original) => {
  const { functions } = await original<typeof import('psbt-wasm/bundler/log')>();
  // What is served here has no signatures.
  const checkCheckpoint = (note: string) => {
    if (module.stranger) throw Object.assign(new Error('stranger'), { code: 'stranger' });
    return functions.readCheckpoint(note);
  };
  return { functions: { ...functions, checkCheckpoint } };
});

const KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';

const OWN = `${location.host}/log`;

const checkpoint = (origin: string, size: number, root: number) =>
  `${origin}\n${size}\n${btoa(String.fromCharCode(...Array.from({ length: 32 }, () => root)))}\n\n\u2014 ${origin} AAAAAAA=\n`;

beforeAll(() => checked(() => undefined));
beforeEach(() => {
  module.stranger = false;
  localStorage.clear();
});
afterEach(() => vi.useRealTimers());

/** A board with this log. Paths that begin with a key of `statuses` get that status. */
function serve(note: string, first = '{}', statuses: Record<string, number> = {}, log = '/log') {
  const bundle = `${String.fromCharCode(first.length >> 8, first.length & 255)}${first}`;
  return stubNetwork(({ url }) => {
    if (url.pathname.endsWith('/app-config')) return { body: { log } };
    const part = Object.keys(statuses).find((path) => url.pathname.startsWith(`${log}/${path}`));
    if (part) return statuses[part] === 0 ? new TypeError('Failed to fetch') : { status: statuses[part]! };
    if (url.pathname.endsWith('/checkpoint')) return { text: note };
    if (url.pathname.endsWith('/key')) return { text: `${KEY}\n` };
    if (url.pathname.includes('/entries/')) return { text: bundle };
    return { body: [] };
  });
}

const keep = (note: string) => localStorage.setItem('board-log', JSON.stringify({ checkpoint: note, keys: [KEY], until: [] }));

test('what is seen first is kept, without a word', async () => {
  serve(checkpoint(OWN, 3, 1));
  open(<LogAlarm />);
  await vi.waitFor(() => expect(keptLog(location.host)?.keys).toEqual([KEY]));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a rewritten history raises an alarm until the reader dismisses it', async () => {
  const before = checkpoint(OWN, 3, 1);
  keep(before);
  serve(checkpoint(OWN, 3, 2));
  open(<LogAlarm />);
  const alarm = await screen.findByRole('alert');
  expect(alarm).toHaveTextContent('This board’s history no longer matches what you saw');
  expect(alarm).toHaveTextContent('it has been rewritten');
  expect(keptLog(location.host)?.checkpoint).toBe(before);
  await userEvent.click(screen.getByRole('button', { name: 'I Have Read This' }));
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(keptLog(location.host)?.checkpoint).toBe(checkpoint(OWN, 3, 2));
});

test('a restarted log is named, with its operator’s reason', async () => {
  keep(checkpoint(OWN, 3, 1));
  const calls = serve(checkpoint(`${OWN}/2`, 1, 2), JSON.stringify({ kind: 'begin', log: 2, time: '2026-11-28T00:00:00Z', because: 'A disk was lost.' }), {}, '/log/2');
  open(<LogAlarm />);
  const alarm = await screen.findByRole('alert');
  expect(alarm).toHaveTextContent('This board’s history no longer matches what you saw');
  expect(alarm).toHaveTextContent('“A disk was lost.”');
  // Nothing is asked at the addresses of the first log, which the browser may have kept.
  expect(calls.map(({ url }) => url.pathname).filter((path) => /^\/log\/(?!2\/)/.test(path))).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'I Have Read This' }));
  await vi.waitFor(() => expect(keptLog(location.host)?.checkpoint).toBe(checkpoint(`${OWN}/2`, 1, 2)));
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([true, false])('the log of another board raises an alarm, also at the first visit, and is never kept: seen before, %s', async (seenBefore) => {
  const before = checkpoint(OWN, 3, 1);
  if (seenBefore) keep(before);
  serve(checkpoint('evil.example/log', 3, 1));
  open(<LogAlarm />);
  const alarm = await screen.findByRole('alert');
  expect(alarm).toHaveTextContent(seenBefore ? 'This board’s history no longer matches what you saw' : 'This page shows the history of another board');
  expect(alarm).toHaveTextContent('“evil.example/log”');
  await userEvent.click(screen.getByRole('button', { name: 'I Have Read This' }));
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(keptLog(location.host)?.checkpoint).toBe(seenBefore ? before : undefined);
});

test('a server that has not heard of a new log yet accuses nobody', async () => {
  vi.useFakeTimers();
  keep(checkpoint(`${OWN}/2`, 3, 1));
  const calls = serve(checkpoint(OWN, 9, 2), '{}', { 'tile/': 404 });
  open(<LogAlarm />);
  await later(1_000);
  expect(calls.length).toBeGreaterThan(1);
  expect(screen.queryByRole('alert')).toBeNull();
  serve(checkpoint(`${OWN}/2`, 3, 1), '{}', {}, '/log/2');
  await later(60_000);
  expect(screen.queryByRole('alert')).toBeNull();
});

/** Advances the clock by this many milliseconds. */
const later = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));

test.each(['checkpoint', 'tile/', 'rotations'])('a log that denies what must be there raises an alarm after a second request: %s', async (part) => {
  vi.useFakeTimers();
  const before = checkpoint(OWN, 3, 1);
  keep(before);
  if (part === 'rotations') module.stranger = true;
  const statuses: Record<string, number> = { [part]: 404 };
  serve(checkpoint(OWN, 4, 1), '{}', statuses);
  open(<LogAlarm />);
  await later(1_000);
  expect(screen.queryByRole('alert')).toBeNull();
  await later(60_000);
  const alarm = screen.getByRole('alert');
  expect(alarm).toHaveTextContent('This board’s history no longer matches what you saw');
  expect(alarm).toHaveTextContent(`“/log/${part}`);
  vi.useRealTimers();
  await userEvent.click(screen.getByRole('button', { name: 'I Have Read This' }));
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  // The board is compared with the remembered log once it responds again.
  expect(keptLog(location.host)?.checkpoint).toBe(before);
});

test('what is missing for a moment accuses nobody', async () => {
  vi.useFakeTimers();
  keep(checkpoint(OWN, 3, 1));
  const statuses: Record<string, number> = { checkpoint: 404 };
  const calls = serve(checkpoint(OWN, 3, 1), '{}', statuses);
  open(<LogAlarm />);
  await later(1_000);
  const looks = () => calls.filter(({ url }) => url.pathname === '/log/checkpoint');
  expect(looks()).toHaveLength(1);
  delete statuses.checkpoint;
  await later(60_000);
  expect(looks()).toHaveLength(2);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a page instead of the checkpoint is no evidence against the board', async () => {
  vi.useFakeTimers();
  const before = checkpoint(OWN, 3, 1);
  keep(before);
  serve('<!doctype html>\n\n<title>Back soon</title>\n');
  open(<LogAlarm />);
  await later(1_000);
  expect(screen.queryByRole('alert')).toBeNull();
  await later(60_000);
  expect(screen.getByRole('status')).toHaveTextContent('Couldn’t check the board’s history');
  expect(screen.getByRole('status')).toHaveTextContent('something that is not a checkpoint of a log, several times');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(keptLog(location.host)?.checkpoint).toBe(before);
  serve(checkpoint(OWN, 3, 2));
  await later(6 * 60_000);
  expect(screen.getByRole('alert')).toHaveTextContent('it has been rewritten');
});

test('a server that has only errors to tell is said to, calmly, until it answers; a network that is away is not', async () => {
  vi.useFakeTimers();
  keep(checkpoint(OWN, 3, 1));
  const statuses: Record<string, number> = { checkpoint: 500 };
  serve(checkpoint(OWN, 3, 1), '{}', statuses);
  const { unmount } = open(<LogAlarm />);
  await later(60_000);
  expect(screen.getByRole('status')).toHaveTextContent('Couldn’t check the board’s history');
  expect(screen.getByRole('status')).toHaveTextContent('(500)');
  expect(screen.queryByRole('alert')).toBeNull();
  delete statuses.checkpoint;
  await later(6 * 60_000);
  expect(screen.queryByRole('status')).toBeNull();
  unmount();
  statuses.checkpoint = 0;
  open(<LogAlarm />);
  await later(60_000);
  expect(screen.queryByRole('status')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a board whose log was restored says so, calmly', async () => {
  vi.useFakeTimers();
  const before = checkpoint(OWN, 3, 1);
  keep(before);
  const message = 'The log was restored from a backup, and the board is catching up with the chain.';
  stubNetwork(({ url }) => (url.pathname.endsWith('/app-config') ? { body: { log: '/log' } } : { status: 503, body: { code: 'log-restored', message } }));
  open(<LogAlarm />);
  await later(60_000);
  expect(screen.getByRole('status')).toHaveTextContent(`${message} This browser tries again`);
  expect(screen.queryByRole('alert')).toBeNull();
  serve(checkpoint(OWN, 3, 1));
  await later(6 * 60_000);
  expect(screen.queryByRole('status')).toBeNull();
  expect(keptLog(location.host)?.checkpoint).toBe(before);
});
