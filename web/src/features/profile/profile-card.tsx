import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { boardSummaryQuery } from '../../api/board';
import { bitcoinPriceQuery } from '../../api/queries';
import type { Profile, Proof } from '../../api/types';
import { cx } from '../../lib/cx';
import { formatBtc, formatCount, formatDate, formatUsdValue, NOT_AVAILABLE } from '../../lib/format';
import { holderTier } from '../../lib/holder-tier';
import { displayName, initial, isLongName, handlePage } from '../../lib/names';
import { ownPicture } from '../../lib/picture';
import { amountWords, topPercent, usdWords } from '../../lib/shown';
import { Avatar } from '../../ui/avatar';
import { PageTitle } from '../../ui/page';
import { CardPicture } from '../share/card-picture';
import { ShareActions } from '../share/share-actions';
import { timeLeft } from './history';

const TONES = { danger: 'text-danger', warning: 'text-warning', positive: 'text-positive' };

interface ProfileHeadProps {
  profile: Profile;
  isOwn: boolean;
  proofs: Proof[] | undefined;
  /** Only who it is: the rest is said next to it. */
  brief: boolean;
}

/** The head of a profile: name, rank, total, time left, the picture of the row and what can be done with it. Each once. */
export function ProfileHead({ profile, isOwn, proofs, brief }: ProfileHeadProps) {
  const [now] = useState(() => new Date());
  const expiry = timeLeft(profile, proofs, now);
  const { rank } = profile;
  const whole = !brief && rank !== null;
  return (
    <header className={cx('mt-3 grid gap-6 lg:gap-16', whole && 'lg:grid-cols-[minmax(0,1fr)_31.5rem]')}>
      <div className="min-w-0">
        <div className="flex items-center gap-3">
          <Avatar picture={ownPicture(profile.avatar_url)} initial={initial(profile.username)} seed={profile.id} size="card" />
          <div className="min-w-0">
            <PageTitle
              title={<Name profile={profile} />}
              documentTitle={displayName(profile)}
              className={cx('text-xl/7 font-bold', isLongName(profile.username) ? '[overflow-wrap:anywhere]' : 'break-words')}
            />
            <p className="text-sm text-muted">
              {profile.verified && (
                <>
                  <span>Verified</span> ·{' '}
                </>
              )}
              <span>{holderTier(profile.bitcoin_holdings)}</span>
              {expiry && (
                <>
                  {' · '}
                  <span className={cx('num', TONES[expiry.tone])}>{expiry.text}</span>
                </>
              )}
            </p>
          </div>
        </div>
        {!brief && (
          <>
            <Rank rank={rank} />
            <Holdings profile={profile} isOwn={isOwn} />
          </>
        )}
        {whole && (
          <div className="mt-5">
            <ShareActions person={profile} isOwn={isOwn} />
          </div>
        )}
      </div>
      {whole && <CardPicture person={profile} />}
    </header>
  );
}

function Rank({ rank }: { rank: number | null }) {
  const holders = useQuery(boardSummaryQuery()).data?.holders ?? null;
  const percent = rank !== null && holders !== null ? topPercent(rank, holders) : null;
  if (rank === null) return <p className="mt-4 text-2xl font-bold">Rank {NOT_AVAILABLE}</p>;
  return (
    <>
      <p className="num mt-4 text-5xl leading-tight font-extrabold tracking-tight sm:text-6xl">
        Rank <span className="text-accent-large">#{formatCount(rank)}</span>
      </p>
      {/* Its line is there before the number comes, so nothing moves. */}
      <p className="num min-h-7 text-lg text-muted">
        {holders !== null && `of ${formatCount(holders)}`}
        {percent !== null && ` · top ${percent}%`}
      </p>
    </>
  );
}

/** The verified total and when it was last verified; to its owner also what others see instead. */
function Holdings({ profile, isOwn }: { profile: Profile; isOwn: boolean }) {
  const { bitcoin_holdings: btc, last_verified: last } = profile;
  const range = profile.shown_as === 'range' && btc !== null;
  const price = useQuery(bitcoinPriceQuery()).data?.usd ?? null;
  const amount = btc === null ? NOT_AVAILABLE : isOwn ? formatBtc(btc) : amountWords(profile);
  return (
    <section aria-label="Bitcoin Holdings">
      <dl className="mt-3 flex flex-wrap gap-x-2 gap-y-1 text-base text-muted">
        <div className="flex flex-row-reverse flex-wrap gap-x-1.5">
          <dt>Total Verified</dt>
          <dd className="num font-semibold text-ink" title={btc === null ? undefined : isOwn ? formatUsdValue(btc, price) : usdWords(profile, price)}>
            {amount} BTC
          </dd>
        </div>
        <div className="flex flex-wrap gap-x-1.5 sm:before:content-['·']">
          <dt>Last Verified</dt>
          <dd>{last ? <time dateTime={last}>{formatDate(last)}</time> : range && !isOwn ? 'Not shown' : 'Never'}</dd>
        </div>
      </dl>
      {isOwn && range && (
        <p className="mt-1 text-sm text-muted">
          Others see <span className="num font-semibold text-ink">{amountWords(profile)} BTC</span>, and no date.
        </p>
      )}
    </section>
  );
}

function Name({ profile }: { profile: Profile }) {
  const page = handlePage(profile);
  // Letters that turn the direction of writing turn nothing but the name.
  if (!page) return <bdi>{displayName(profile)}</bdi>;
  return (
    <a href={page} target="_blank" rel="noopener noreferrer" className="hover:underline">
      <bdi>{displayName(profile)}</bdi>
    </a>
  );
}
