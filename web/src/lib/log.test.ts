import { expect, test } from 'vitest';
import { createReporter, redact, type LogEntry } from './log';

function reporter() {
  const sent: LogEntry[] = [];
  const clock = { now: 0 };
  return { sent, clock, report: createReporter((entry) => sent.push(entry), () => clock.now) };
}

test('at most ten different entries a minute, none twice', () => {
  const { sent, clock, report } = reporter();
  for (let n = 0; n < 30; n++) report({ level: 'error', message: `failure ${n % 15}` });
  expect(sent).toHaveLength(10);
  clock.now = 60_000;
  report({ level: 'error', message: 'failure 0' });
  expect(sent).toHaveLength(11);
});

test('errors of screen-shader are ignored', () => {
  const { sent, report } = reporter();
  report({ level: 'error', message: 'boom' }, 'extension://x/screen-shader.js');
  report({ level: 'error', message: 'screen-shader: boom' });
  expect(sent).toEqual([]);
});

test('what may be a txid, an address or a token stays here', () => {
  expect(redact(`bad ${'ab'.repeat(32)}:1`)).toBe('bad [redacted]:1');
  expect(redact('token eyJhbGciOiJFUzI1NiIsInR5cCI6.payload')).not.toContain('eyJ');
  expect(redact('Failed to fetch rank: Not Found')).toBe('Failed to fetch rank: Not Found');
});

test.each([
  ['GET https://x.example/auth/callback?code=abc#token=1 failed', 'GET https://x.example/auth/callback failed'],
  ['at /leaderboard?u=satoshi: boom', 'at /leaderboard boom'],
  ['cannot read "my cold wallet.psbt" (2 KB)', 'cannot read [file] (2 KB)'],
  ['cannot read C:\\coins\\Savings.PSBT', 'cannot read C:\\coins\\[file]'],
  ['user hal@example.org is gone', 'user [email] is gone'],
])('%s is sent as %s', (message, sent) => expect(redact(message)).toBe(sent));

test('a message is cut, and the place it comes from goes with it', () => {
  const { sent, report } = reporter();
  report({ level: 'warn', message: 'word '.repeat(500), context: '/upload' });
  expect(sent[0]?.message).toHaveLength(500);
  expect(sent[0]).toMatchObject({ level: 'warn', context: '/upload' });
});
