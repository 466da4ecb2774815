import { useState } from 'react';
import { BadgeCheck, ExternalLink } from 'lucide-react';
import type { Profile, Proof } from '../../api/types';
import { cx } from '../../lib/cx';
import { formatCount, NOT_AVAILABLE } from '../../lib/format';
import { holderTier } from '../../lib/holder-tier';
import { displayName, initial, isLongName, xPage } from '../../lib/names';
import { ownPicture } from '../../lib/picture';
import { Avatar } from '../../ui/avatar';
import { Badge } from '../../ui/badge';
import { buttonClass } from '../../ui/button';
import { HolderBadge } from '../../ui/holder-badge';
import { PageTitle } from '../../ui/page';
import { ShareButton } from '../share/share-button';
import { timeLeft } from './history';
import { shareAddress } from './share';

/** The head of a profile: picture, name, badges, time left and the share link. */
export function ProfileHead({ profile, isOwn, proofs }: { profile: Profile; isOwn: boolean; proofs: Proof[] | undefined }) {
  const [now] = useState(() => new Date());
  const expiry = timeLeft(profile, proofs, now);
  return (
      <header className="mt-2 flex flex-col items-center gap-4 text-center sm:flex-row sm:text-left">
        <Avatar picture={ownPicture(profile.avatar_url)} initial={initial(profile.username)} seed={profile.id} size="large" />
        <div className="min-w-0 flex-1">
          <PageTitle
            title={<Name profile={profile} />}
            documentTitle={displayName(profile)}
            className={cx('text-[1.75rem]/9 font-bold', isLongName(profile.username) ? '[overflow-wrap:anywhere]' : 'break-words')}
          />
          <div className="mt-2 flex flex-wrap justify-center gap-1.5 sm:justify-start">
            <Badge tone="accent">
              <span className="num">{profile.rank === null ? `Rank ${NOT_AVAILABLE}` : `Rank #${formatCount(profile.rank)}`}</span>
            </Badge>
            {profile.verified && (
              <Badge tone="positive">
                <BadgeCheck className="size-3.5" aria-hidden="true" />
                Verified
              </Badge>
            )}
            <HolderBadge tier={holderTier(profile.bitcoin_holdings)} />
            {expiry && (
              <Badge tone={expiry.tone}>
                <span className="num">{expiry.text}</span>
              </Badge>
            )}
          </div>
        </div>
        <div className="flex flex-wrap justify-center gap-2 sm:flex-col sm:items-stretch">
          <a
            href={shareAddress(profile, isOwn, window.location.origin)}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass('secondary')}
          >
            <ExternalLink className="size-4" aria-hidden="true" />
            Share rank on X
          </a>
          <ShareButton person={profile} />
        </div>
      </header>
  );
}

function Name({ profile }: { profile: Profile }) {
  const page = xPage(profile);
  // Letters that turn the direction of writing turn nothing but the name.
  if (!page) return <bdi>{displayName(profile)}</bdi>;
  return (
    <a href={page} target="_blank" rel="noopener noreferrer" className="hover:underline">
      <bdi>{displayName(profile)}</bdi>
    </a>
  );
}
