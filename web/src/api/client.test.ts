import { afterEach, expect, test, vi } from 'vitest';
import { stubNetwork } from '../testing/network';
import { answerOf, api, ApiError, dataOf, done, connectSession, oneRowApi, publicApi, UNREACHABLE } from './client';
import { messageOf, UserFacingError } from '../lib/errors';

afterEach(() => {
  connectSession({ token: async () => null, lives: async () => false });
});

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
  [{ detail: '' }, ''],
  [['not', 'an', 'object'], ''],
  [undefined, ''],
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
  connectSession({ token: async () => 'token', lives: async () => false });
  const calls = stubNetwork(() => ({ body: {} }));
  await dataOf(api.GET('/api/functions/v1/proof-challenge'));
  await dataOf(oneRowApi.GET('/api/rest/v1/profiles'));
  await dataOf(settings());
  expect(calls.map(({ headers }) => headers.get('Authorization'))).toEqual(['Bearer token', 'Bearer token', null]);
});

test.each([
  [true, ['Bearer first', 'Bearer second']],
  [false, ['Bearer first']],
])('a refused token is asked about; when the session lives (%s), the call is made again with the next one', async (lives, tokens) => {
  let token = 'first';
  connectSession({
    token: async () => token,
    lives: async () => {
      token = 'second';
      return lives;
    },
  });
  const calls = stubNetwork(({ headers }) => (headers.get('Authorization') === 'Bearer second' ? { status: 204 } : { status: 401 }));
  const call = done(api.PATCH('/api/rest/v1/profiles', { params: { query: { id: 'a' } }, body: { tier: 'free' } }));
  if (lives) await call;
  else await expect(call).rejects.toMatchObject({ status: 401 });
  expect(calls.map(({ headers }) => headers.get('Authorization'))).toEqual(tokens);
  expect(calls.map(({ body }) => body)).toEqual(tokens.map(() => ({ tier: 'free' })));
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

test('only sentences of ours are shown', () => {
  expect(messageOf(new UserFacingError('why'), 'fallback')).toBe('why');
  expect(messageOf(new ApiError('', 'http-500', 500), 'fallback')).toBe('fallback');
  expect(messageOf(new TypeError("Cannot read properties of undefined (reading 'x')"), 'fallback')).toBe('fallback');
  expect(messageOf('text', 'fallback')).toBe('fallback');
});
