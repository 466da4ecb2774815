import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { bitcoinPriceQuery } from '../../api/queries';
import type { Profile, Proof } from '../../api/types';
import { describeExpiry, PROOF_DAYS } from '../../lib/expiry';
import { NOT_AVAILABLE, formatBtc, formatDate, formatUsdValue } from '../../lib/format';
import { amountWords, usdWords } from '../../lib/shown';
import { Card } from '../../ui/card';
import { Fact } from '../../ui/fact';
import { TextLink } from '../../ui/text-link';
import { nextToExpire } from './history';

const VALUE = 'mt-0.5 text-xl font-bold';

/** The verified total, what it is worth and when it was last verified; to its owner also what ends next, and the plan. */
export function HoldingsCard({ profile, isOwn, proofs }: { profile: Profile; isOwn: boolean; proofs: Proof[] | undefined }) {
  const { bitcoin_holdings: btc, last_verified: last, tier } = profile;
  const range = profile.shown_as === 'range' && btc !== null;
  const price = useQuery(bitcoinPriceQuery());
  const next = nextToExpire(proofs ?? []);
  return (
    <Card title="Bitcoin Holdings">
      <dl className="grid gap-4 sm:grid-cols-2 sm:[&>:last-child:nth-child(odd)]:col-span-2">
        <Fact label="Total Verified" className={VALUE}>
          <span className="num">
            {btc === null ? (
              NOT_AVAILABLE
            ) : (
              <>
                {isOwn ? formatBtc(btc) : amountWords(profile)} <span className="text-base font-semibold text-muted">BTC</span>
              </>
            )}
          </span>
          {btc !== null && <p className="num mt-1 text-sm font-normal text-muted">{isOwn ? formatUsdValue(btc, price.data?.usd ?? null) : usdWords(profile, price.data?.usd ?? null)}</p>}
        </Fact>
        <Fact label="Last Verified" className={VALUE}>{last ? <time dateTime={last}>{formatDate(last)}</time> : range && !isOwn ? 'Not shown' : 'Never'}</Fact>
        {next && (
          <Fact label="Next Expiry" className={VALUE}>
            <time dateTime={next.expires_at}>{formatDate(next.expires_at)}</time>
            <ExpiryBar end={next.expires_at} />
          </Fact>
        )}
        {tier && (
          <Fact label="Plan" className={VALUE}>
            {tier === 'premium' ? 'Premium' : 'Basic'}
            <p className="mt-1 text-sm font-normal text-muted">
              {tier === 'premium' ? 'Re-verified every day. ' : `A proof lasts ${PROOF_DAYS} days. `}
              <TextLink to="/choose-plan">Plans</TextLink>
            </p>
          </Fact>
        )}
      </dl>
      {isOwn && range && (
        <p className="mt-4 text-sm text-muted">
          Only you see this. Others see <span className="num font-semibold text-ink">{amountWords(profile)} BTC</span>, and no date.
        </p>
      )}
    </Card>
  );
}

const DAY_MS = 86_400_000;
const FILLS = { danger: 'fill-danger', warning: 'fill-warning', positive: 'fill-positive' };

/** How much of a proof's time is left. */
function ExpiryBar({ end }: { end: string }) {
  const [now] = useState(() => new Date());
  const { text, tone } = describeExpiry(new Date(end), now);
  const left = (Date.parse(end) - now.getTime()) / (PROOF_DAYS * DAY_MS);
  return (
    <>
      <svg viewBox="0 0 100 2" preserveAspectRatio="none" className="mt-2 h-2 w-full rounded-full" aria-hidden="true">
        <rect width="100" height="2" className="fill-line" />
        <rect width={Math.round(100 * Math.min(Math.max(left, 0), 1))} height="2" className={FILLS[tone]} />
      </svg>
      <p className="num mt-1 text-sm font-normal text-muted">{text}</p>
    </>
  );
}
