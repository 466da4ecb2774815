import { afterEach, expect, test, vi } from 'vitest';
import { stubNetwork } from '../testing/network';
import { answerOf, api, ApiError, dataOf, done, messageOf, oneRowApi, publicApi, setTokenSource, UNREACHABLE } from './client';

afterEach(() => setTokenSource(async () => null));

const settings = (signal?: AbortSignal) => publicApi.GET('/api/functions/v1/app-config', signal ? { signal } : {});
const failure = async () => dataOf(settings()).catch((error: unknown) => error);

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
  const error = await failure();
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: UNREACHABLE, status: 0 });
});

test.each([
  ['a page of something in between', () => new Response('<!doctype html>')],
  ['an empty body', () => new Response(null)],
])('%s is no answer of the server', async (_name, answer) => {
  vi.stubGlobal('fetch', async () => answer());
  expect(await failure()).toMatchObject({ name: 'ApiError', code: 'answer-unreadable' });
});

test('a cancelled call stays a cancellation', async () => {
  const controller = new AbortController();
  stubNetwork(() => {
    controller.abort();
    return new DOMException('aborted', 'AbortError');
  });
  await expect(dataOf(settings(controller.signal))).rejects.toThrow('aborted');
});

test('the access token goes with a call, unless it is for everybody', async () => {
  setTokenSource(async () => 'token');
  const calls = stubNetwork(() => ({ body: {} }));
  await dataOf(api.GET('/api/functions/v1/proof-challenge'));
  await dataOf(oneRowApi.GET('/api/rest/v1/profiles'));
  await dataOf(settings());
  expect(calls.map(({ headers }) => headers.get('Authorization'))).toEqual(['Bearer token', 'Bearer token', null]);
});

test('a row alone is asked for as such', async () => {
  const calls = stubNetwork(() => ({ body: {}, headers: { 'Content-Range': '0-0/1' } }));
  const { headers } = await answerOf(oneRowApi.GET('/api/rest/v1/profiles'));
  expect(calls[0]?.headers.get('Accept')).toBe('application/vnd.pgrst.object+json');
  expect(headers.get('Content-Range')).toBe('0-0/1');
});

test('a body is sent as JSON, a query and a path encoded', async () => {
  const calls = stubNetwork(() => ({ status: 204 }));
  await done(api.PATCH('/api/rest/v1/profiles', { params: { query: { id: 'a&b=c' } }, body: { tier: 'free' } }));
  expect(calls[0]).toMatchObject({ method: 'PATCH', body: { tier: 'free' } });
  expect(calls[0]?.url.searchParams.get('id')).toBe('a&b=c');
  expect(calls[0]?.headers.get('Content-Type')).toBe('application/json');
  await done(api.GET('/api/functions/v1/getUserRank/{user_id}', { params: { path: { user_id: 'a/b?' } } }));
  expect(calls[1]?.url.pathname).toBe('/api/functions/v1/getUserRank/a%2Fb%3F');
});

test('messageOf falls back', () => {
  expect(messageOf(new Error('why'), 'fallback')).toBe('why');
  expect(messageOf(new Error(''), 'fallback')).toBe('fallback');
  expect(messageOf('text', 'fallback')).toBe('fallback');
});
