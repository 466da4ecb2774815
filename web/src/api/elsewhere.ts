/** Anonymous requests to a chosen chain source, and to this board: without cookies and without a token. */
import { UserFacingError } from '../lib/errors';

/** Why a source gave no usable response. */
export type Trouble = 'offline' | 'insecure' | 'permission' | 'cors' | 'unreachable' | 'timeout' | 'rate-limit' | 'unavailable' | 'unreadable' | 'not-found';

/** A missing or unusable response; the message is a sentence with the cause and the next step. */
export class SourceError extends UserFacingError {
  override readonly name = 'SourceError';

  constructor(
    readonly trouble: Trouble,
    message: string,
    /** The source's `Retry-After` in seconds; null when it sent none. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

const TIMEOUT_MS = 20_000;

/** The response as text. */
export async function textFrom(address: string, signal?: AbortSignal): Promise<string> {
  return (await ask(address, signal)).text();
}

/** The response as JSON, unchecked. */
export async function jsonFrom(address: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await ask(address, signal);
  try {
    return await answer.json();
  } catch (error) {
    signal?.throwIfAborted();
    if (isTimeout(error)) throw late(address);
    throw notEsplora(address);
  }
}

async function ask(address: string, signal?: AbortSignal): Promise<Response> {
  if (isBlocked(address)) throw insecure();
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  let answer: Response;
  try {
    answer = await fetch(address, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw isTimeout(error) ? late(address) : await diagnosed(address);
  }
  if (answer.ok) return answer;
  throw refusal(address, answer);
}

/** It answers, but not as Esplora does. */
export function notEsplora(address: string): SourceError {
  return new SourceError('unreadable', `${hostOf(address)} didn’t answer as Esplora does. Check the address: it often ends in /api.`);
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';

function late(address: string): SourceError {
  return new SourceError('timeout', `${hostOf(address)} didn’t answer within ${TIMEOUT_MS / 1000} seconds. Try again later, or choose another explorer.`);
}

function refusal(address: string, { status, headers }: Response): SourceError {
  const host = hostOf(address);
  if (status === 404) return new SourceError('not-found', `${host} doesn’t have this (404).`);
  if (status === 429) {
    const after = Number(headers.get('retry-after') ?? Number.NaN);
    return new SourceError(
      'rate-limit',
      `${host} takes no more requests for now (429). Wait a minute, then continue: finished checks stay. Your own server has no such limit.`,
      Number.isFinite(after) ? after : null,
    );
  }
  return new SourceError('unavailable', `${host} answered with status ${status}. Try again later, or choose another explorer.`);
}

/** Addresses on this computer, which an https page may request without encryption. */
const LOOPBACK = new Set(['localhost', '127.0.0.1']);

/** Whether this page's policy, or the browser's, forbids the request. */
function isBlocked(address: string): boolean {
  const { protocol, hostname, origin } = new URL(address, location.origin);
  return protocol !== 'https:' && !LOOPBACK.has(hostname) && origin !== location.origin;
}

function insecure(): SourceError {
  return new SourceError(
    'insecure',
    'Use an address that begins with https://, or one on this computer: http://localhost or http://127.0.0.1.',
  );
}

/** Why no response came. Browsers do not report it; these causes can be distinguished. */
async function diagnosed(address: string): Promise<SourceError> {
  const host = hostOf(address);
  if (!navigator.onLine && !isLocal(address)) return new SourceError('offline', 'You are offline. Signatures can be checked; the coins need a connection.');
  if (isLocal(address) && (await isDenied())) {
    return new SourceError(
      'permission',
      'Your browser blocks this site from your local network. Allow it with the icon next to the page’s address, then continue.',
    );
  }
  try {
    // The response cannot be read, but its arrival shows that the server runs.
    await fetch(address, { mode: 'no-cors', credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    return new SourceError('unreachable', `No answer from ${host}. Check the address and that the server runs. A browser extension may also block it.`);
  }
  return new SourceError(
    'cors',
    `${host} answers, but doesn’t let other sites read it (CORS). Make it send the header “Access-Control-Allow-Origin: *”, or choose another explorer.`,
  );
}

function isLocal(address: string): boolean {
  const { hostname } = new URL(address, location.origin);
  return LOOPBACK.has(hostname) || /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\.|\.(local|lan|internal)$/.test(hostname);
}

/** The names of the Local Network Access permission in different browsers. */
const PERMISSIONS = ['loopback-network', 'local-network', 'local-network-access'];

async function isDenied(): Promise<boolean> {
  for (const name of PERMISSIONS) {
    try {
      const { state } = await navigator.permissions.query({ name: name as PermissionName });
      if (state === 'denied') return true;
    } catch {
      // This browser does not know the permission by this name.
    }
  }
  return false;
}

export function hostOf(address: string): string {
  return new URL(address, location.origin).host;
}
