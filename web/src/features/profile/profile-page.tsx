import { useDeferredValue, useEffect, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { messageOf } from '../../lib/errors';
import { useLiveProfiles } from '../../api/live';
import { holdingsHistoryQuery, proofsQuery, rankQuery } from '../../api/own-queries';
import { profileQuery, PROFILES_KEY } from '../../api/queries';
import type { Profile, ShownAs } from '../../api/types';
import { formatSats } from '../../lib/format';
import { displayName } from '../../lib/names';
import { Button, buttonClass, ButtonLink } from '../../ui/button';
import { Card } from '../../ui/card';
import { PageLoading } from '../../ui/spinner';
import { StatePage } from '../../ui/state-page';
import { useSession } from '../session/context';
import { meetProven, useJustProven } from '../share/just-proven';
import { AccountCard } from './account-card';
import { HistoryCard } from './history-card';
import { ProfileHead } from './profile-card';
import { StoryCard } from './story-card';
import { later } from '../../ui/later';

/** Only after a proof. */
const Success = later(async () => ({ default: (await import('../share/success')).Success }));

/** A holder's profile; the owner also sees the history and the account's controls. */
export default function ProfilePage({ id }: { id: string }) {
  const { currentUser } = useSession();
  const [, navigate] = useLocation();
  // A fresh tab has nothing to go back to.
  const goBack = () => (history.length > 1 ? history.back() : navigate('/'));
  // During a deletion the profile stays on screen, with the message.
  const [leaving, setLeaving] = useState(false);
  const profile = useQuery({ ...profileQuery(id), enabled: !leaving });
  useLiveProfiles();

  if (profile.isPending) return <PageLoading text="Loading profile..." />;
  if (profile.data === undefined) {
    return (
      <StatePage
        title="Error Loading Profile"
        action={
          <>
            <Button onClick={() => void profile.refetch()}>Try Again</Button>
            <Button look="secondary" onClick={goBack}>
              Go Back
            </Button>
          </>
        }
      >
        <p role="alert">{messageOf(profile.error, 'An unknown error occurred')}</p>
      </StatePage>
    );
  }
  if (profile.data === null) return <ProfileNotFound />;
  return <ProfileView profile={profile.data} isOwn={currentUser?.id === id} leaving={leaving} setLeaving={setLeaving} />;
}

interface ProfileViewProps {
  profile: Profile;
  isOwn: boolean;
  leaving: boolean;
  setLeaving: (leaving: boolean) => void;
}

function ProfileView({ profile: stored, isOwn, leaving, setLeaving }: ProfileViewProps) {
  const queries = useQueryClient();
  const rank = useQuery({ ...rankQuery(stored.id), enabled: !leaving });
  const proofs = useQuery({ ...proofsQuery(stored.id), enabled: isOwn && !leaving });
  const story = useQuery({ ...holdingsHistoryQuery(stored.id), enabled: isOwn && !leaving });
  // Only on the first visit after a proof.
  const proven = useJustProven(stored.id);
  const [celebrated] = useState(proven?.met === false);
  useEffect(() => meetProven(queries, stored.id), [queries, stored.id]);
  useOwnRefresh(isOwn && !leaving ? stored.shown_as : undefined);
  // In one go, because the heights of the cards depend on the data. Deferred, so that the browser is never busy with it for long.
  const ready = useDeferredValue(!isOwn || leaving || (proofs.isFetched && story.isFetched), false);
  if (!ready) return <PageLoading text="Loading profile..." />;
  const profile = { ...stored, rank: rank.data === undefined ? stored.rank : rank.data };
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-4 pb-10 sm:px-6 sm:pt-6">
      <p className="text-[0.8125rem] font-medium text-muted">User Profile</p>
      <ProfileHead profile={profile} isOwn={isOwn} proofs={proofs.data} brief={celebrated && proven !== null} />
      {celebrated && proven ? <Success proven={proven} tier={stored.tier} userId={stored.id} /> : null}
      {isOwn ? (
        <div className="mt-8 grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="min-w-0 space-y-6">
            <HistoryCard profile={profile} paused={leaving} />
            {story.data && story.data.length >= FEWEST_POINTS && <StoryCard points={story.data} />}
          </div>
          <AccountCard profile={profile} onLeaving={setLeaving} />
        </div>
      ) : (
        <div className="mt-8">
          <Published profile={profile} />
        </div>
      )}
    </div>
  );
}

/** A chart of fewer points says nothing. */
const FEWEST_POINTS = 3;

/** The published part of a holder's total. */
function Published({ profile }: { profile: Profile }) {
  const { id, published_sats: sats, verified } = profile;
  return (
    <Card title={sats ? 'Check it yourself' : verified ? 'No published proof' : 'Nothing to check'}>
      <p className="text-sm [overflow-wrap:anywhere] text-muted">
        {sats ? (
          `Anyone can check ${formatSats(sats)} BTC of this, without trusting us.`
        ) : (
          <>
            <bdi>{displayName(profile)}</bdi> {verified ? 'has published no proof. We checked the signatures and the coins.' : 'has no active proof.'}
          </>
        )}
      </p>
      {sats ? (
        <a href={`/verify?profile=${id}`} className={buttonClass('primary', 'medium', 'mt-4')}>
          Check the proof
        </a>
      ) : null}
    </Card>
  );
}

function ProfileNotFound() {
  return (
    <StatePage title="Profile Not Found" action={<ButtonLink to="/login">Go to Login</ButtonLink>}>
      <p role="alert" className="font-semibold text-ink">
        User profile not found
      </p>
      <p>The user profile you're looking for doesn't exist or you need to log in.</p>
    </StatePage>
  );
}

const PAUSE_MS = 60_000;

/** Live events cover only what others see. The owner of a range also refetches what it hides, every minute. */
function useOwnRefresh(shownAs: ShownAs | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (shownAs !== 'range') return undefined;
    const timer = window.setInterval(() => {
      if (!document.hidden) void queries.invalidateQueries({ queryKey: PROFILES_KEY });
    }, PAUSE_MS);
    return () => window.clearInterval(timer);
  }, [queries, shownAs]);
}
