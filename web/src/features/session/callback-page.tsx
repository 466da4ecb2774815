import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Redirect, useSearchParams } from 'wouter';
import { messageOf, UserFacingError } from '../../lib/errors';
import { ButtonLink } from '../../ui/button';
import { More } from '../../ui/more';
import { Notice } from '../../ui/notice';
import { StatePage } from '../../ui/state-page';
import { PageLoading } from '../../ui/spinner';
import { useSession } from './context';
import { wantedPath } from './wanted';
import { authClient } from './auth-client';

/** The redirect target of sign-in providers: continues to the profile, or shows the error. */
export default function CallbackPage() {
  const [params] = useSearchParams();
  const { currentUser, completeSignIn } = useSession();
  const [address] = useState(() => redactedAddress(window.location.href));
  const refusal = callbackError(params);
  const code = params.get('code') ?? '';
  // A code works once.
  const exchange = useQuery({
    queryKey: ['sign-in', code],
    queryFn: () => exchangeCode(code).then(completeSignIn).then(() => true),
    enabled: refusal === null,
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
    retryOnMount: false,
  });
  const failure = refusal ?? (exchange.error && messageOf(exchange.error, 'Unknown authentication error'));

  if (failure) return <CallbackFailure message={failure} address={address} userId={currentUser?.id ?? null} />;
  if (currentUser) return <Redirect to={wantedPath() ?? `/profile/${currentUser.id}`} replace />;
  return <PageLoading text="Completing Authentication..." />;
}

function CallbackFailure({ message, address, userId }: { message: string; address: string; userId: string | null }) {
  return (
    <StatePage title="Authentication Error" action={userId ? <ButtonLink to={`/profile/${userId}`}>Go to Your Profile</ButtonLink> : <ButtonLink to="/login">Return to Login</ButtonLink>}>
      <Notice tone="danger" role="alert" className="text-left">
        <p className="text-ink">{message}</p>
        <p>{userId ? 'You are still signed in with the account you had.' : 'Nothing was changed. Sign in again to continue.'}</p>
      </Notice>
      <div className="text-left">
        <More title="Debug information" boxed>
          <dl className="space-y-2 font-mono text-xs [overflow-wrap:anywhere]">
            <dt className="font-semibold text-ink">URL</dt>
            <dd>{address}</dd>
            <dt className="font-semibold text-ink">Error</dt>
            <dd>{message}</dd>
          </dl>
        </More>
      </div>
    </StatePage>
  );
}

/** The provider's error in the address; null when there is none. */
export function callbackError(params: URLSearchParams): string | null {
  const error = params.get('error');
  if (!error) return null;
  return `Authentication error: ${error} - ${params.get('error_description') ?? 'no description'}`;
}

/** Turns the code of the address into a session. */
async function exchangeCode(code: string): Promise<void> {
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
