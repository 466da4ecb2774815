import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Redirect } from 'wouter';
import { messageOf } from '../../api/client';
import { appConfigQuery } from '../../api/queries';
import { Button } from '../../ui/button';
import { BitcoinLogo } from '../../ui/logo';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { Spinner } from '../../ui/spinner';
import { TextLink } from '../../ui/text-link';
import { useSession } from './context';
import { endLeaving, wantedPath } from './wanted';

/** Sign in with X, or with another provider that is set up; in development also as a new mock user. */
export default function LoginPage() {
  const { currentUser, login, error: sessionError } = useSession();
  const config = useQuery(appConfigQuery());
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(endLeaving, []);
  if (currentUser) return <Redirect to={wantedPath() ?? `/profile/${currentUser.id}`} replace />;

  const start = async (provider: string) => {
    setBusy(provider);
    setFailure(null);
    try {
      await login(provider);
    } catch (error) {
      const during = provider === 'mock' ? 'mock login' : 'login';
      setFailure(messageOf(error, `An unexpected error occurred during ${during}.`));
      setBusy(null);
    }
  };
  const shown = failure ?? sessionError;
  const others = config.data?.sign_in.filter(({ name, on }) => on && name !== 'twitter' && name !== 'mock') ?? [];

  return (
    <Page
      title="Sign in to your X account"
      documentTitle="Sign in"
      width="narrow"
      centred
      intro="Your X name is what the leaderboard shows. We never post for you."
    >
      <div className="space-y-4 rounded-card border border-line bg-surface p-6 shadow-card sm:p-8">
        <BitcoinLogo className="mx-auto mb-6 size-14" />
        {shown && (
          <Notice tone="danger" role="alert">
            <p>Error: {shown}</p>
          </Notice>
        )}
        <Button className="w-full" disabled={busy !== null} onClick={() => start('twitter')}>
          {busy === 'twitter' ? <Spinner className="text-on-accent" /> : <XMark />}
          {busy === 'twitter' ? 'Loading...' : 'Continue with X'}
        </Button>
        {others.map(({ name, title }) => (
          <Button key={name} look="secondary" className="w-full" disabled={busy !== null} onClick={() => start(name)}>
            {busy === name && <Spinner />}
            {busy === name ? 'Loading...' : `Continue with ${title}`}
          </Button>
        ))}
        {config.data?.development && (
          <div className="space-y-2 border-t border-line pt-4 text-center">
            <Button look="secondary" className="w-full" disabled={busy !== null} onClick={() => start('mock')}>
              {busy === 'mock' && <Spinner />}
              {busy === 'mock' ? 'Creating Mock User...' : 'Dev: Create Mock User & Login'}
            </Button>
            <p className="text-xs text-muted">(Only available in development mode)</p>
          </div>
        )}
      </div>
      <p className="mt-6 text-center text-sm text-muted">
        By continuing you accept the <TextLink to="/terms-of-service">terms of service</TextLink> and the{' '}
        <TextLink to="/privacy-policy">privacy policy</TextLink>.
      </p>
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
