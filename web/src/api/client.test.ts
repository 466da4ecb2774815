import { afterEach, expect, test } from 'vitest';
import { stubNetwork } from '../testing/network';
import { ApiError, messageOf, request, setTokenSource, UNREACHABLE } from './client';

afterEach(() => setTokenSource(async () => null));

const failure = async (path = '/x') => request(path).catch((error: unknown) => error as ApiError);

test('problem details become a sentence, a code and a status', async () => {
  stubNetwork(() => ({
    status: 404,
    body: { type: 'about:blank', title: 'Not Found', status: 404, code: 'not-found', detail: 'No such thing.' },
  }));
  expect(await failure()).toMatchObject({ message: 'No such thing.', code: 'not-found', status: 404 });
});

test.each([
  [{ error: 'Stripe session error' }, 'Stripe session error'],
  [{ message: 'Wait a minute.', detail: 'other' }, 'Wait a minute.'],
  [{ detail: '' }, 'The server answered with status 500.'],
  [['not', 'an', 'object'], 'The server answered with status 500.'],
  [undefined, 'The server answered with status 500.'],
])('a 500 with %j says %s', async (body, message) => {
  stubNetwork(() => ({ status: 500, body }));
  expect(await failure()).toMatchObject({ message, code: 'http-500', status: 500 });
});

test('no answer is an error of its own', async () => {
  stubNetwork(() => new TypeError('Failed to fetch'));
  expect(await failure()).toMatchObject({ code: UNREACHABLE, status: 0 });
});

test('a cancelled call stays a cancellation', async () => {
  const controller = new AbortController();
  stubNetwork(() => {
    controller.abort();
    return new DOMException('aborted', 'AbortError');
  });
  await expect(request('/x', { signal: controller.signal })).rejects.toThrow('aborted');
});

test('the access token goes with a call, unless it is for everybody', async () => {
  setTokenSource(async () => 'token');
  const calls = stubNetwork(() => ({ body: {} }));
  await request('/mine');
  await request('/public', { anonymous: true });
  expect(calls.map(({ headers }) => headers.get('Authorization'))).toEqual(['Bearer token', null]);
});

test('a body is sent as JSON, a query encoded', async () => {
  const calls = stubNetwork(() => ({ status: 204 }));
  const { data } = await request('/x', { method: 'POST', query: { q: 'a&b=c' }, body: { a: 1 } });
  expect(data).toBeNull();
  expect(calls[0]).toMatchObject({ method: 'POST', body: { a: 1 } });
  expect(calls[0]?.url.searchParams.get('q')).toBe('a&b=c');
  expect(calls[0]?.headers.get('Content-Type')).toBe('application/json');
});

test('messageOf falls back', () => {
  expect(messageOf(new Error('why'), 'fallback')).toBe('why');
  expect(messageOf(new Error(''), 'fallback')).toBe('fallback');
  expect(messageOf('text', 'fallback')).toBe('fallback');
});
