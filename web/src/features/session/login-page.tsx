import { useEffect, useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Redirect } from 'wouter';
import { messageOf } from '../../lib/errors';
import { HANDLES, MOCK, providerTitle } from '../../lib/names';
import { logoutWanted } from '../../lib/shown-account';
import { appConfigQuery } from '../../api/queries';
import { Button } from '../../ui/button';
import { BitcoinLogo } from '../../ui/logo';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { PageLoading, Spinner } from '../../ui/spinner';
import { TextLink } from '../../ui/text-link';
import { nextStep, SESSION_ENDED, useSession } from './context';
import { accountDeleted } from './drop';
import { loginRefusal } from './login';
import { endLeaving, wantedPath } from './wanted';

/** Why the wanted page needs a sign-in; null when no page was wanted. */
function reasonToSignIn(): string | null {
  const path = wantedPath()?.split('?')[0];
  if (!path) return null;
  if (path === '/upload') return 'You must be logged in to verify a PSBT.';
  if (path === '/choose-plan') return 'You must be logged in to select a plan.';
  return 'You must be logged in to see that page.';
}

/** The provider that the specification names, as screens do. */
const X = providerTitle(HANDLES);

/** Sign-in with X or another configured provider; in development as a new mock user. */
export default function LoginPage() {
  const { currentUser, login, logout, error: sessionError } = useSession();
  const config = useQuery(appConfigQuery());
  const starting = useMutation({ mutationFn: login });
  const [deleted] = useState(() => accountDeleted.get() !== null);
  useEffect(() => accountDeleted.remove(), []);
  useEffect(endLeaving, []);
  // Logout in a document without session code.
  const [leaving] = useState(() => logoutWanted.get() !== null);
  const ending = leaving && currentUser !== null && sessionError === null;
  useEffect(() => {
    logoutWanted.remove();
    if (ending) void logout();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the session is known
  }, [ending]);
  if (ending) return <PageLoading />;
  if (currentUser) return <Redirect to={wantedPath() ?? `/profile/${currentUser.id}`} replace />;

  // After success the browser is on its way to the provider.
  const busy = starting.isPending || starting.isSuccess ? starting.variables : null;
  const failure = starting.error && messageOf(starting.error, `An unexpected error occurred during ${starting.variables === MOCK ? 'mock login' : 'login'}.`);
  const shown = failure ?? (sessionError === SESSION_ENDED ? null : sessionError);
  const reason = deleted ? 'Your account has been deleted. Sign in to start a new one.' : [sessionError === SESSION_ENDED && SESSION_ENDED, reasonToSignIn()].filter(Boolean).join(' ');
  const { development = false, sign_in: providers = [] } = config.data ?? {};
  const others = providers.filter(({ name, on }) => on && name !== HANDLES && name !== MOCK);
  // While the configuration loads. If that fails, a press on X tries again and shows the error.
  const unknown = config.isLoading && config.failureCount === 0;
  const refusal = config.data ? loginRefusal(HANDLES, config.data) : null;
  const withX = refusal === null || development;

  return (
    <Page
      title={withX ? `Sign in to your ${X} account` : 'Sign in'}
      documentTitle="Sign in"
      width="narrow"
      centred
      intro={`The leaderboard shows ${withX ? `your ${X} name` : 'the name of your account'}. We never post for you.`}
    >
      <div className="space-y-4 rounded-card border border-line bg-surface p-6 shadow-card sm:p-8">
        <BitcoinLogo className="mx-auto mb-6 size-14" />
        {reason && !shown && <Notice role="status" text={reason} />}
        {shown && (
          <Notice tone="danger" role="alert">
            <p>Error: {shown}</p>
            {shown === sessionError && <p>{nextStep(shown)}</p>}
          </Notice>
        )}
        {/* Above the buttons, whose number is known only with the configuration: nothing moves then. */}
        <p className="text-center text-sm text-muted">
          By continuing you accept the <TextLink to="/terms-of-service">terms of service</TextLink> and the{' '}
          <TextLink to="/privacy-policy">privacy policy</TextLink>.
        </p>
        {withX && (
          <Button className="w-full" disabled={unknown || refusal !== null || busy !== null} aria-describedby={refusal ? 'x-is-off' : undefined} onClick={() => starting.mutate(HANDLES)}>
            {unknown || busy === HANDLES ? <Spinner className="text-on-accent" /> : <XMark />}
            {unknown || busy === HANDLES ? 'Loading...' : `Continue with ${X}`}
          </Button>
        )}
        {withX && refusal && (
          <p id="x-is-off" className="text-center text-xs text-muted">
            {refusal}
          </p>
        )}
        {!withX && others.length === 0 && <Notice tone="warning" role="status" text="Sign-in isn’t set up on this server. Ask the operator to configure a provider." />}
        {others.map(({ name, title }) => (
          <Button key={name} look="secondary" className="w-full" disabled={busy !== null} onClick={() => starting.mutate(name)}>
            {busy === name && <Spinner />}
            {busy === name ? 'Loading...' : `Continue with ${title}`}
          </Button>
        ))}
        {development && (
          <div className="space-y-2 border-t border-line pt-4 text-center">
            <Button look="secondary" className="w-full" disabled={busy !== null} onClick={() => starting.mutate(MOCK)}>
              {busy === MOCK && <Spinner />}
              {busy === MOCK ? 'Creating Mock User...' : 'Dev: Create Mock User & Login'}
            </Button>
            <p className="text-xs text-muted">(Only available in development mode)</p>
          </div>
        )}
      </div>
    </Page>
  );
}

function XMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-4 fill-current" aria-hidden="true">
      <path d="M18.2 2h3.4l-7.4 8.5L23 22h-6.8l-5.3-7-6.1 7H1.4l7.9-9.1L1 2h7l4.8 6.4L18.2 2Zm-1.2 18h1.9L7.1 3.9h-2L17 20Z" />
    </svg>
  );
}
