/** Requests to our API, and the one error that they throw. */
import type { Client } from 'openapi-fetch';
import { UserFacingError } from '../lib/errors';
import { member } from '../lib/member';
import type { paths } from './schema';

export const API = '/api';

/** The error code for a missing response. */
export const UNREACHABLE = 'network-unreachable';

/** The error code for a response that is not our server's. */
const UNREADABLE = 'answer-unreadable';

/** A failed request: a sentence for the user, a stable code for the program. */
export class ApiError extends UserFacingError {
  override readonly name = 'ApiError';

  constructor(
    /** Empty when the response has no message: each screen has its own for that. */
    message: string,
    readonly code: string,
    /** HTTP status, or 0 without a response. */
    readonly status: number,
    /** The parsed body, for refusals with more fields. */
    readonly body: unknown = null,
    /** The reason phrase; empty under HTTP/2. */
    readonly statusText = '',
  ) {
    super(message);
  }
}

/** What requests need of the session. */
interface SessionAccess {
  /** The access token; null when signed out. */
  token: () => Promise<string | null>;
  /** After a 401: whether the session is still alive, so that the request is sent again with a new token. */
  lives: () => Promise<boolean>;
}

let session: SessionAccess = { token: async () => null, lives: async () => false };

/** Sets it; the session room calls this once. */
export function connectSession(access: SessionAccess): void {
  session = access;
}

// Builds and tests run without a page, and need absolute URLs too.
const baseUrl = globalThis.location?.origin ?? 'http://localhost';

async function withToken(request: Request): Promise<Response> {
  const token = await session.token();
  if (!token) {
    const response = await fetch(request);
    // Where the page shows a session, its storage has lost it: the session ends here too.
    if (response.status === 401) await session.lives();
    return response;
  }
  // In memory: a cloned request would have a stream as its body.
  const bytes = await request.arrayBuffer();
  const body = bytes.byteLength > 0 ? { body: bytes } : {};
  const send = (bearer: string | null) => {
    const headers = new Headers(request.headers);
    headers.set('Authorization', `Bearer ${bearer}`);
    return fetch(new Request(request, { headers, ...body }));
  };
  let response = await send(token);
  // Only the token was too old, for instance because of a wrong clock.
  if (response.status === 401 && (await session.lives())) response = await send(await session.token());
  if (request.method !== 'GET') hearOfBoard(boardNumberOf(response.headers) ?? 0);
  return response;
}

let newestBoard = 0;

/** Notes a board number from an event, or from this page's own change. */
export function hearOfBoard(number: number): void {
  newestBoard = Math.max(newestBoard, number);
}

/** The highest board number this page has seen; 0 for none. */
export function newestBoardNumber(): number {
  return newestBoard;
}

/** The board number of a response. */
export function boardNumberOf(headers: Headers): number | null {
  const number = headers.get('Board-Number');
  return number === null ? null : Number(number);
}

type Send = (request: Request) => Promise<Response>;

/** What a request may have. The library's types say which request has what. */
interface Options extends Omit<RequestInit, 'body' | 'headers'> {
  params?: { path?: Record<string, string>; query?: Record<string, unknown> };
  headers?: Record<string, string>;
  body?: unknown;
  parseAs?: 'json' | 'text';
}

/**
 * A client of the API with openapi-fetch's types. Every visitor loads it, and the library's own code is 2 kB of script of which we need what is
 * here.
 */
function createClient<Media extends `${string}/${string}`>(send: Send, more: Record<string, string> = {}): Client<paths, Media> {
  const by = (method: string) => async (path: string, { params: { path: parts = {}, query = {} } = {}, headers, body, parseAs, ...init }: Options = {}) => {
    const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ''));
    const asked = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
    const search = asked.flatMap(([name, value]) => (value === undefined || value === null ? [] : `${name}=${encodeURIComponent(String(value))}`)).join('&');
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const request = new Request(baseUrl + named + (search && `?${search}`), {
      ...init,
      method,
      headers: { ...json, ...more, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await send(request);
    const text = await response.text();
    if (!response.ok) return { error: parsed(text), response };
    return { data: parseAs === 'text' ? text : text === '' ? undefined : (JSON.parse(text) as unknown), response };
  };
  return Object.fromEntries(['GET', 'POST', 'PATCH', 'DELETE'].map((method) => [method, by(method)])) as unknown as Client<paths, Media>;
}

/** What a refusal says; undefined when that is not ours. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The API with the session's access token. */
export const api = createClient<'application/json'>(withToken);

/** The API without a token: every reader gets the same, cacheable response. */
export const publicApi = createClient<'application/json'>((request) => fetch(request));

const ONE_ROW = 'application/vnd.pgrst.object+json';

/** The API that answers with one row, or 406 when there is none. */
export const oneRowApi = createClient<typeof ONE_ROW>(withToken, { Accept: ONE_ROW });

/** The result of a request. */
interface Outcome<T> {
  data?: T | undefined;
  error?: unknown;
  response: Response;
}

/** Body and headers of a response; throws ApiError unless it is a 2xx with a body that fits. */
export async function answerOf<T>(call: Promise<Outcome<T>>, fits: (body: unknown) => boolean = () => true): Promise<{ data: T; headers: Headers }> {
  const { data, response } = await settled(call);
  if (data === undefined || !fits(data)) throw unreadable(response.status);
  return { data, headers: response.headers };
}

/** Only the body. */
export async function dataOf<T>(call: Promise<Outcome<T>>, fits?: (body: unknown) => boolean): Promise<T> {
  return (await answerOf(call, fits)).data;
}

/** The types of members; `?` allows null. */
type Shape = Record<string, 'string' | 'number' | 'boolean' | 'object' | 'string?' | 'number?'>;

/** Whether a body is an object with these members. Something between the server and the page can answer 200 with anything. */
export const has = (shape: Shape) => (body: unknown) =>
  Object.entries(shape).every(([name, type]) => {
    const value = member(body, name);
    return value === null ? type.endsWith('?') : typeof value === type.replace('?', '');
  });

/** Whether a body is a list of such objects. */
export const hasRows = (shape: Shape) => (body: unknown) => Array.isArray(body) && body.every(has(shape));

/** Waits for a response without a body. */
export async function done(call: Promise<Outcome<unknown>>): Promise<void> {
  await settled(call);
}

async function settled<T>(call: Promise<Outcome<T>>): Promise<Outcome<T>> {
  const outcome = await call.catch((cause: unknown) => {
    if (cause instanceof Error && cause.name === 'AbortError') throw cause;
    if (cause instanceof SyntaxError) throw unreadable(0);
    throw unreachable();
  });
  if (!outcome.response.ok) throw toApiError(outcome.response, outcome.error);
  return outcome;
}

const unreachable = () => new ApiError('Can’t reach the server. Try again.', UNREACHABLE, 0);
const unreadable = (status: number) => new ApiError('The server’s answer can’t be read. Try again.', UNREADABLE, status);

/** A file of the server outside the API. */
export async function fileAt(path: string, cache: RequestCache): Promise<Response> {
  const response = await fetch(new Request(new URL(path, baseUrl), { cache })).catch(() => null);
  if (!response) throw unreachable();
  if (!response.ok) throw toApiError(response, await response.json().catch(() => null));
  return response;
}

/** Reads problem details (RFC 9457), or the plain `message` and `error` members. */
function toApiError(response: Response, body: unknown): ApiError {
  const sentence = ['message', 'detail', 'error']
    .map((name) => member(body, name))
    .find((value) => typeof value === 'string' && value !== '');
  const code = member(body, 'code');
  return new ApiError(
    typeof sentence === 'string' ? sentence : '',
    typeof code === 'string' ? code : `http-${response.status}`,
    response.status,
    body,
    response.statusText,
  );
}
