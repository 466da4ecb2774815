import type { Profile } from '../../api/types';
import { NOT_AVAILABLE, formatBtc, formatDate } from '../../lib/format';
import { Card } from '../../ui/card';

/** The verified total and when it was last verified. */
export function HoldingsCard({ profile }: { profile: Profile }) {
  const { bitcoin_holdings: btc, last_verified: last } = profile;
  return (
    <Card title="Bitcoin Holdings">
      <dl className="grid gap-4 sm:grid-cols-2">
        <div className="rounded-xl bg-raised p-4">
          <dt className="text-sm text-muted">Total Verified</dt>
          <dd className="num mt-1 text-2xl font-bold">
            {btc === null ? (
              NOT_AVAILABLE
            ) : (
              <>
                {formatBtc(btc)} <span className="text-base font-semibold text-muted">BTC</span>
              </>
            )}
          </dd>
        </div>
        <div className="rounded-xl bg-raised p-4">
          <dt className="text-sm text-muted">Last Verified</dt>
          <dd className="mt-1 text-2xl font-bold">{last ? <time dateTime={last}>{formatDate(last)}</time> : 'Never'}</dd>
        </div>
      </dl>
    </Card>
  );
}
