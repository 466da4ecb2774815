/** The one place that calls the network, and the one error that comes out of it. */

export const API = '/api';

/** Code of the error that means no answer came at all. */
export const UNREACHABLE = 'network-unreachable';

/** Every failed call: a sentence for the person, a stable code for the program. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    message: string,
    readonly code: string,
    /** HTTP status, or 0 when no answer came. */
    readonly status: number,
    /** The parsed body, for the calls whose refusals carry more. */
    readonly body: unknown = null,
  ) {
    super(message);
  }
}

type TokenSource = () => Promise<string | null>;
let tokenSource: TokenSource = async () => null;

/** Tells the client where access tokens come from; the session room calls this once. */
export function setTokenSource(source: TokenSource): void {
  tokenSource = source;
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Public data: the access token stays out of it, so that every reader gets the same answer. */
  anonymous?: boolean;
}

export interface Answer<T> {
  data: T;
  headers: Headers;
}

/** Calls `/api{path}` and reads JSON; throws ApiError for everything that is not a 2xx. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  const { method = 'GET', query, body, signal } = options;
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const token = options.anonymous ? null : await tokenSource();
  const headers = new Headers({ Accept: 'application/json', ...options.headers });
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (body !== undefined) headers.set('Content-Type', 'application/json');

  const response = await send(`${API}${path}${search}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const data = await readJson(response);
  if (!response.ok) throw toApiError(response, data);
  return { data: data as T, headers: response.headers };
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError('The server could not be reached. Please try again.', UNREACHABLE, 0);
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Reads problem details (RFC 9457), or the plain `message` and `error` members. */
function toApiError(response: Response, body: unknown): ApiError {
  const problem = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const sentence = [problem.message, problem.detail, problem.error, problem.title].find(
    (value): value is string => typeof value === 'string' && value !== '',
  );
  const code = typeof problem.code === 'string' ? problem.code : `http-${response.status}`;
  const fallback = response.statusText || `The server answered with status ${response.status}.`;
  return new ApiError(sentence ?? fallback, code, response.status, body);
}

/** The sentence of any thrown value, or the fallback. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof Error && error.message !== '' ? error.message : fallback;
}
