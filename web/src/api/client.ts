/** The one place that calls the network, and the one error that comes out of it. */
import createClient from 'openapi-fetch';
import type { paths } from './schema';

export const API = '/api';

/** Code of the error that means no answer came at all. */
export const UNREACHABLE = 'network-unreachable';

/** Code of the error that means the answer was none of the server's. */
const UNREADABLE = 'answer-unreadable';

/** An error whose message is a sentence of ours. What libraries and browsers say is for programmers, and never shown. */
export class UserFacingError extends Error {
  override readonly name: string = 'UserFacingError';
}

/** Every failed call: a sentence for the person, a stable code for the program. */
export class ApiError extends UserFacingError {
  override readonly name = 'ApiError';

  constructor(
    /** Empty when the answer has no sentence: each screen has its own for that. */
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

// Only a page has an address; what is built or tested outside of one still needs whole addresses.
const baseUrl = globalThis.location?.origin ?? 'http://localhost';

/** Asks whether the session still lives, after an answer that says it does not; the next token comes from the source. */
type SessionCheck = () => Promise<boolean>;
let sessionLives: SessionCheck = async () => false;

/** Tells the client who knows whether a session lives; the session room calls this once. */
export function setSessionCheck(check: SessionCheck): void {
  sessionLives = check;
}

async function withToken(request: Request): Promise<Response> {
  const token = await tokenSource();
  if (!token) return fetch(request);
  // Kept in memory, because a clone of the request would make its body a stream.
  const bytes = await request.arrayBuffer();
  const body = bytes.byteLength > 0 ? { body: bytes } : {};
  const send = (bearer: string | null) => {
    const headers = new Headers(request.headers);
    headers.set('Authorization', `Bearer ${bearer}`);
    return fetch(new Request(request, { headers, ...body }));
  };
  let response = await send(token);
  // The token alone was too old, by a clock that goes wrong for instance.
  if (response.status === 401 && (await sessionLives())) response = await send(await tokenSource());
  if (request.method !== 'GET') hearOfBoard(boardNumberOf(response.headers) ?? 0);
  return response;
}

let newestBoard = 0;

/** Notes the number of a board that there is: an event said so, or this page has changed something in it. */
export function hearOfBoard(number: number): void {
  newestBoard = Math.max(newestBoard, number);
}

/** The number of the newest board that this page has heard of; 0 when it has heard of none. */
export function newestBoardNumber(): number {
  return newestBoard;
}

/** The number of the board's newest change in an answer. */
export function boardNumberOf(headers: Headers): number | null {
  const number = headers.get('Board-Number');
  return number === null ? null : Number(number);
}

/** The API as the server's document describes it, for whoever is signed in. */
export const api = createClient<paths, 'application/json'>({ baseUrl, fetch: withToken });

/** The API for everybody: the access token stays out of it, so that every reader gets the same answer. */
export const publicApi = createClient<paths, 'application/json'>({ baseUrl, fetch: (request) => fetch(request) });

const ONE_ROW = 'application/vnd.pgrst.object+json';

/** The API where it is to answer with one row, and with 406 when there is none. */
export const oneRowApi = createClient<paths, typeof ONE_ROW>({ baseUrl, fetch: withToken, headers: { Accept: ONE_ROW } });

/** What comes of a call of one of these. */
interface Outcome<T> {
  data?: T | undefined;
  error?: unknown;
  response: Response;
}

/** What the server answered; throws ApiError for everything that is not a 2xx with the body that the document promises. */
export async function answerOf<T>(call: Promise<Outcome<T>>): Promise<{ data: T; headers: Headers }> {
  const { data, response } = await settled(call);
  if (data === undefined) throw unreadable(response.status);
  return { data, headers: response.headers };
}

/** The body alone. */
export async function dataOf<T>(call: Promise<Outcome<T>>): Promise<T> {
  return (await answerOf(call)).data;
}

/** Waits for a call whose answer says nothing but that it is done. */
export async function done(call: Promise<Outcome<unknown>>): Promise<void> {
  await settled(call);
}

async function settled<T>(call: Promise<Outcome<T>>): Promise<Outcome<T>> {
  const outcome = await call.catch((cause: unknown) => {
    if (cause instanceof Error && cause.name === 'AbortError') throw cause;
    if (cause instanceof SyntaxError) throw unreadable(0);
    throw new ApiError('The server could not be reached. Please try again.', UNREACHABLE, 0);
  });
  if (!outcome.response.ok) throw toApiError(outcome.response, outcome.error);
  return outcome;
}

const unreadable = (status: number) => new ApiError('The server gave an answer that cannot be read. Please try again.', UNREADABLE, status);

/** A file of the server that is no part of the API. */
export async function fileAt(path: string, cache: RequestCache): Promise<Response> {
  const response = await fetch(new Request(new URL(path, baseUrl), { cache })).catch(() => null);
  if (!response) throw new ApiError('The server could not be reached. Please try again.', UNREACHABLE, 0);
  if (!response.ok) throw toApiError(response, null);
  return response;
}

/** A member of a body of which nothing is known yet. */
export function member(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
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
  );
}

/** The sentence of a thrown value, or the fallback where there is none of ours. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof UserFacingError && error.message !== '' ? error.message : fallback;
}
