/**
 * Questions without a name: to a chain source that a visitor has chosen, and to this board by somebody who is nobody. No cookie and no token
 * goes along, whoever is signed in.
 */

/** What blocks a source. */
export type Trouble = 'offline' | 'insecure' | 'permission' | 'cors' | 'unreachable' | 'timeout' | 'rate-limit' | 'unavailable' | 'unreadable' | 'not-found';

/** An answer that did not come, or that is none: a sentence on what it is and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError';

  constructor(
    readonly trouble: Trouble,
    message: string,
    /** Seconds after which the source wants to be asked again; null when it has not said. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

const TIMEOUT_MS = 20_000;

/** The answer as text. */
export async function textFrom(address: string, signal?: AbortSignal): Promise<string> {
  return (await ask(address, signal)).text();
}

/** The answer as JSON, of which nothing is known yet. */
export async function jsonFrom(address: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await ask(address, signal);
  try {
    return await answer.json();
  } catch (error) {
    signal?.throwIfAborted();
    if (isTimeout(error)) throw late(address);
    throw new SourceError('unreadable', `${hostOf(address)} gave an answer that is not what was asked for. Is its address whole? That of Esplora often ends in /api.`);
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

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';

function late(address: string): SourceError {
  return new SourceError('timeout', `${hostOf(address)} has not answered within ${TIMEOUT_MS / 1000} seconds. Go on later, or choose another source.`);
}

function refusal(address: string, { status, headers }: Response): SourceError {
  const host = hostOf(address);
  if (status === 404) return new SourceError('not-found', `${host} knows nothing of that (404).`);
  if (status === 429) {
    const after = Number(headers.get('retry-after') ?? Number.NaN);
    return new SourceError(
      'rate-limit',
      `${host} takes no more requests for now (429). Wait a minute and go on: what it has answered stays. A source of your own has no such limit.`,
      Number.isFinite(after) ? after : null,
    );
  }
  return new SourceError('unavailable', `${host} answered with status ${status}. Go on later, or choose another source.`);
}

/** Addresses on this computer, which browsers let a page over https ask without encryption. */
const LOOPBACK = new Set(['localhost', '127.0.0.1']);

/** Whether this page's own policy, or the browser's, keeps it from asking at all. */
function isBlocked(address: string): boolean {
  const { protocol, hostname, origin } = new URL(address, location.origin);
  return protocol !== 'https:' && !LOOPBACK.has(hostname) && origin !== location.origin;
}

function insecure(): SourceError {
  return new SourceError(
    'insecure',
    'This page may ask only sources with an address that begins with https://, or on this computer: http://localhost or http://127.0.0.1. Give your node an https address, or a tunnel to one of these.',
  );
}

/** Why no answer came. Browsers do not say; these are the reasons that can be told apart. */
async function diagnosed(address: string): Promise<SourceError> {
  const host = hostOf(address);
  if (!navigator.onLine && !isLocal(address)) return new SourceError('offline', 'You are offline. Signatures are checked all the same; the coins wait until you are back.');
  if (isLocal(address) && (await isDenied())) {
    return new SourceError(
      'permission',
      'Your browser does not let this site reach your computer or your local network. Allow it with the icon beside the address of this page, and go on.',
    );
  }
  try {
    // Without being allowed to read the answer, one learns that there is one.
    await fetch(address, { mode: 'no-cors', credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    return new SourceError('unreachable', `No answer comes from ${host}. Is the address right, and does it run? Something in your browser may also keep this page from asking it.`);
  }
  return new SourceError(
    'cors',
    `${host} answers, but does not let pages of other sites read it (CORS). Have it send the header “Access-Control-Allow-Origin: *”, or choose another source.`,
  );
}

function isLocal(address: string): boolean {
  const { hostname } = new URL(address, location.origin);
  return LOOPBACK.has(hostname) || /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\.|\.(local|lan|internal)$/.test(hostname);
}

/** Local Network Access: what browsers call the permission, or have called it. */
const PERMISSIONS = ['loopback-network', 'local-network', 'local-network-access'];

async function isDenied(): Promise<boolean> {
  for (const name of PERMISSIONS) {
    try {
      const { state } = await navigator.permissions.query({ name: name as PermissionName });
      if (state === 'denied') return true;
    } catch {
      // A browser that does not know this name.
    }
  }
  return false;
}

export function hostOf(address: string): string {
  return new URL(address, location.origin).host;
}
