import { useEffect, useState } from 'react';
import { Redirect, useSearchParams } from 'wouter';
import { messageOf } from '../../api/client';
import { ButtonLink } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { StatePage } from '../../ui/state-page';
import { PageLoading } from '../../ui/spinner';
import { callbackError, exchangeCode, redactedAddress } from './callback';
import { useSession } from './context';
import { wantedPath } from './wanted';

/** The redirect target of sign-in providers: continues to the profile, or shows the error. */
export default function CallbackPage() {
  const [params] = useSearchParams();
  const { currentUser, completeSignIn } = useSession();
  const [address] = useState(() => redactedAddress(window.location.href));
  const [failure, setFailure] = useState(() => callbackError(params));

  useEffect(() => {
    if (failure) return;
    exchangeCode(params)
      .then(completeSignIn)
      .catch((error: unknown) => setFailure(messageOf(error, 'Unknown authentication error')));
  }, [params, failure, completeSignIn]);

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
      <details className="rounded-xl border border-line p-4 text-left text-sm">
        <summary className="font-medium text-ink">Debug information</summary>
        <dl className="mt-3 space-y-2 font-mono text-xs [overflow-wrap:anywhere]">
          <dt className="font-semibold text-ink">URL</dt>
          <dd>{address}</dd>
          <dt className="font-semibold text-ink">Error</dt>
          <dd>{message}</dd>
        </dl>
      </details>
    </StatePage>
  );
}
