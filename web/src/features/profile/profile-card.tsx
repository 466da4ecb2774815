import { useState } from 'react';
import { BadgeCheck, ExternalLink } from 'lucide-react';
import type { Profile, Proof } from '../../api/types';
import { cx } from '../../lib/cx';
import { formatCount, NOT_AVAILABLE } from '../../lib/format';
import { holderTier } from '../../lib/holder-tier';
import { displayName, initial, isLongName, sharedName, xPage } from '../../lib/names';
import { ownPicture } from '../../lib/picture';
import { Avatar } from '../../ui/avatar';
import { Badge } from '../../ui/badge';
import { buttonClass } from '../../ui/button';
import { HolderBadge } from '../../ui/holder-badge';
import { PageTitle } from '../../ui/page';
import { ShareButton } from '../share/share-button';
import { spokenAmount } from '../../lib/shown';
import { timeLeft } from './history';

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

type Shared = Pick<Profile, 'username' | 'provider' | 'named' | 'rank' | 'bitcoin_holdings' | 'shown_as'>;

/** The post's text: the rank, and the BTC held with two decimals, or what is shown of them. */
export function shareText(profile: Shared, isOwn: boolean): string {
  const who = isOwn ? "I'm" : `${displayName(profile)} is`;
  const holding = spokenAmount({ ...profile, bitcoin_holdings: profile.bitcoin_holdings ?? 0 });
  return profile.rank === null
    ? `${who} on the Bitcoin Leaderboard of Proof of Reserves.`
    : `${who} ranked #${profile.rank} on the Bitcoin Leaderboard with ${holding} of proven holdings.`;
}

/** The address that opens X with the post ready; it leads readers to the person's row of the leaderboard. */
export function shareAddress(profile: Shared, isOwn: boolean, origin: string): string {
  const url = `${origin}/leaderboard?${new URLSearchParams({ u: sharedName(profile) })}`;
  return `https://x.com/intent/tweet?${new URLSearchParams({ text: shareText(profile, isOwn), url })}`;
}
