import type { ProofChallenge } from '../../api/types';
import { formatCount, formatDate } from '../../lib/format';

/** What there is to know about the line that is signed: how long it counts, and a name that stands for another. */
export function StatementNotes({ challenge }: { challenge: ProofChallenge }) {
  const { statement, counts_until: until, counts_until_block: last } = challenge;
  const name = statement.split(' ').slice(4, -1).join(' ');
  return (
    <div className="mt-2 space-y-1 text-[0.8125rem] text-muted">
      <p>
        Your statement says whose proof it is. Sign before block {formatCount(last)}, about <time dateTime={until}>{formatDate(until)}</time>.
      </p>
      {name.startsWith('~') && (
        <details>
          <summary className="list-none [&::-webkit-details-marker]:hidden">
            You appear as <span className="font-mono text-ink">{name}</span>. <span className="font-medium text-accent-ink underline underline-offset-3">Why?</span>
          </summary>
          Your name here is not one that a provider vouches for, or a device can’t show it. This code identifies your account.
        </details>
      )}
    </div>
  );
}
