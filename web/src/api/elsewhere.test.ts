import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { jsonFrom, SourceError, textFrom, type Trouble } from './elsewhere';

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://board.example'));
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => void vi.useRealTimers());

async function troubleOf(address: string): Promise<[Trouble, string]> {
  const error = await jsonFrom(address).catch((thrown: unknown) => thrown);
  if (!(error instanceof SourceError)) throw error;
  return [error.trouble, error.message];
}

const answers = (...replies: (Response | Error)[]) =>
  vi.stubGlobal('fetch', async () => {
    const reply = replies.shift();
    if (!reply || reply instanceof Error) throw reply ?? new Error('asked once too often');
    return reply;
  });
const FAILED = new TypeError('Failed to fetch');

test('no request says who asks', async () => {
  const fetched = vi.fn(async (_address: string, _init: RequestInit) => new Response('900000'));
  vi.stubGlobal('fetch', fetched);
  expect(await textFrom('https://node.example/blocks/tip/height')).toBe('900000');
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer' });
});

test.each(['http://node.example/api', 'http://192.168.1.5:3000'])('this page does not ask %s, and says so', async (address) => {
  answers();
  const [trouble, message] = await troubleOf(address);
  expect(trouble).toBe('insecure');
  expect(message).toContain('http://localhost or http://127.0.0.1');
});

test.each(['http://localhost:3000/x', 'http://127.0.0.1:3000/x', 'https://192.168.1.5/x'])('%s is asked', async (address) => {
  answers(Response.json({ a: 1 }));
  expect(await jsonFrom(address)).toEqual({ a: 1 });
});

test('a source that answers without letting the page read it differs from one that is not there', async () => {
  answers(FAILED, new Response());
  expect(await troubleOf('https://node.example/x')).toEqual(['cors', expect.stringContaining('Access-Control-Allow-Origin: *')]);
  answers(FAILED, FAILED);
  expect(await troubleOf('https://node.example/x')).toEqual(['unreachable', expect.stringContaining('node.example')]);
});

test('the page says that it is offline, but not for a source on this computer', async () => {
  vi.stubGlobal('navigator', { onLine: false });
  answers(FAILED);
  expect((await troubleOf('https://node.example/x'))[0]).toBe('offline');
  answers(FAILED, FAILED);
  expect((await troubleOf('http://127.0.0.1:3000/x'))[0]).toBe('unreachable');
});

test('a refused permission is named', async () => {
  vi.stubGlobal('navigator', {
    onLine: true,
    permissions: {
      query: async ({ name }: { name: string }) => {
        if (name !== 'local-network-access') throw new TypeError('unknown name');
        return { state: 'denied' };
      },
    },
  });
  answers(FAILED);
  expect(await troubleOf('http://127.0.0.1:3000/x')).toEqual(['permission', expect.stringContaining('Allow it')]);
});

test.each([
  [429, 'rate-limit', '429'],
  [500, 'unavailable', '500'],
  [404, 'not-found', '404'],
] as const)('the status %i is explained', async (status, trouble, words) => {
  answers(new Response('', { status, headers: { 'retry-after': '7' } }));
  expect(await troubleOf('https://node.example/x')).toEqual([trouble, expect.stringContaining(words)]);
});

test('an answer that is not JSON is named', async () => {
  answers(new Response('<html>'));
  expect(await troubleOf('https://node.example/x')).toEqual(['unreadable', expect.stringContaining('/api')]);
});

test('a source that does not answer is waited for no longer than twenty seconds', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('late', 'TimeoutError')));
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => signal?.throwIfAborted());
  expect(await troubleOf('https://node.example/x')).toEqual(['timeout', expect.stringContaining('20 seconds')]);
  expect(timeout).toHaveBeenCalledWith(20_000);
});
