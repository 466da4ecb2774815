import { UserFacingError } from '../../api/client';
import { authClient } from './auth-client';

const exchanges = new Map<string, Promise<void>>();

/** The provider's error in the address; null when there is none. */
export function callbackError(params: URLSearchParams): string | null {
  const error = params.get('error');
  if (!error) return null;
  return `Authentication error: ${error} - ${params.get('error_description') ?? 'no description'}`;
}

/** Turns the code of the address into a session. A code works once, so a second call joins the first. */
export function exchangeCode(params: URLSearchParams): Promise<void> {
  const code = params.get('code') ?? '';
  let exchange = exchanges.get(code);
  if (!exchange) {
    exchange = run(code);
    if (code !== '') exchanges.set(code, exchange);
  }
  return exchange;
}

async function run(code: string): Promise<void> {
  const auth = await authClient();
  if (code !== '') {
    const { error } = await auth.exchangeCodeForSession(code);
    if (error) throw signInError(error);
  }
  const { data, error } = await auth.getSession();
  if (error) throw signInError(error);
  if (!data.session) throw new UserFacingError('Authentication failed. No session was created.');
}

/** The server's message about a failed sign-in. The library's own messages are for programmers. */
function signInError({ name, message }: Error): UserFacingError {
  // The code verifier is in the browser that started the sign-in, and works once.
  if (name === 'AuthPKCECodeVerifierMissingError') return new UserFacingError('This sign-in link was used already, or belongs to another browser. Sign in again.');
  return new UserFacingError(name === 'AuthApiError' ? message : '');
}

/** The address for the debug panel, without the code: screenshots get shared. */
export function redactedAddress(href: string): string {
  const url = new URL(href);
  if (url.searchParams.has('code')) url.searchParams.set('code', 'redacted');
  return url.href;
}
