import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { messageOf } from '../../api/client';
import { useLiveProfiles } from '../../api/live';
import { holdingsHistoryQuery, profileQuery, proofsQuery, rankQuery } from '../../api/queries';
import type { Profile } from '../../api/types';
import { Button, ButtonLink } from '../../ui/button';
import { Card } from '../../ui/card';
import { Page } from '../../ui/page';
import { PageLoading } from '../../ui/spinner';
import { StatePage } from '../../ui/state-page';
import { useSession } from '../session/context';
import { ShownChoice } from '../shown/shown-choice';
import { useOwnRefresh } from '../shown/use-own-refresh';
import { DeleteAccount } from './delete-account';
import { HistoryCard } from './history-card';
import { HoldingsCard } from './holdings-card';
import { ProfileCard } from './profile-card';
import { StoryCard } from './story-card';

/** A person's profile; its owner also sees the history and the account's controls. */
export default function ProfilePage({ id }: { id: string }) {
  const { currentUser } = useSession();
  const [, navigate] = useLocation();
  // A fresh tab has nothing to go back to.
  const goBack = () => (history.length > 1 ? history.back() : navigate('/'));
  // While an account is being deleted its profile must not vanish from under the message that says so.
  const [leaving, setLeaving] = useState(false);
  const profile = useQuery({ ...profileQuery(id), enabled: !leaving });
  useLiveProfiles();

  if (profile.isPending) return <PageLoading text="Loading profile..." />;
  if (profile.data === undefined) {
    return (
      <StatePage title="Error Loading Profile" action={<Button onClick={goBack}>Go Back</Button>}>
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
  const rank = useQuery({ ...rankQuery(stored.id), enabled: !leaving });
  const proofs = useQuery({ ...proofsQuery(stored.id), enabled: isOwn && !leaving });
  const story = useQuery({ ...holdingsHistoryQuery(stored.id), enabled: isOwn && !leaving });
  useOwnRefresh(isOwn && !leaving ? stored.shown_as : undefined);
  // Drawn in one go, because every card is as high as what its owner is told.
  if (isOwn && !(proofs.isFetched && story.isFetched) && !leaving) return <PageLoading text="Loading profile..." />;
  const profile = { ...stored, rank: rank.data === undefined ? stored.rank : rank.data };
  return (
    <Page title="User Profile" documentTitle={profile.username} width="medium">
      <div className="space-y-6">
        <ProfileCard profile={profile} isOwn={isOwn} proofs={proofs.data} />
        <HoldingsCard profile={profile} isOwn={isOwn} proofs={proofs.data} />
        {isOwn && (
          <Card>
            <ShownChoice userId={profile.id} />
          </Card>
        )}
        {isOwn && story.data && story.data.length > 0 && <StoryCard points={story.data} />}
        {isOwn && <HistoryCard profile={profile} paused={leaving} />}
        {isOwn && <DeleteAccount onLeaving={setLeaving} />}
      </div>
    </Page>
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
