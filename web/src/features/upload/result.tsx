import { useEffect, useRef } from 'react';
import { formatBtc } from '../../lib/format';
import type { ProofAccepted, ProofAnswer, Tier } from '../../api/types';
import { Button, ButtonLink } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { ReceiptButton } from '../board-log/receipt-button';
import { HEADINGS, tierNote } from './submission';
import { isAccepted } from './use-submission';

interface ResultProps {
  answer: ProofAnswer;
  tier: Tier | null;
  userId: string | null;
  /** The reader is about to be led to the profile. */
  leaving: boolean;
  profileStale: boolean;
  onStay: () => void;
}

/** Another document, so that its links are loaded whole. */
function Published({ id }: { id: string }) {
  return (
    <p>
      It is published:{' '}
      <a href={`/verify/${id}`} className="font-medium text-accent-ink underline underline-offset-3">
        anybody can check it
      </a>
      .
    </p>
  );
}

/** The server's answer to a submitted file. */
export function Result(props: ResultProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={box} className="scroll-mt-24 scroll-mb-8">
      <Answer {...props} />
    </div>
  );
}

function Answer({ answer, ...rest }: ResultProps) {
  if (isAccepted(answer)) return <Accepted answer={answer} {...rest} />;
  const conflict = answer.status === 'conflict';
  return (
    <Notice tone={conflict ? 'warning' : 'danger'} role="alert" title={HEADINGS[answer.status]}>
      <p>{answer.message || (conflict ? 'Conflict detected.' : 'Verification failed.')}</p>
      {conflict && <p>One or more of these UTXOs are already claimed by another user.</p>}
      {conflict && (
        <p>
          If you have proven them with another account of yours, use that one, or delete it. If you hold the keys together
          with somebody, agree on who proves them. Coins that nobody else has proven can be proven without them.
        </p>
      )}
      <p className="text-muted">Click or drag a new file to try again.</p>
    </Notice>
  );
}

function Accepted({ answer, tier, userId, leaving, profileStale, onStay }: ResultProps & { answer: ProofAccepted }) {
  return (
    <Notice tone="positive" role="status" title={HEADINGS[answer.status]}>
      <p className="num text-2xl font-bold text-ink">{formatBtc(answer.amount)} BTC</p>
      {answer.total !== answer.amount && <p className="num">Your verified total is now {formatBtc(answer.total)} BTC.</p>}
      {answer.message && <p>{answer.message}</p>}
      <p>{tierNote(answer.status, tier)}</p>
      {answer.published && <Published id={answer.proof_id} />}
      {profileStale && <p className="font-medium text-warning">Failed to update profile. Please try again.</p>}
      <div className="flex flex-wrap items-center gap-3 pt-3">
        {userId && <ButtonLink to={`/profile/${userId}`}>View Your Profile</ButtonLink>}
        {leaving && (
          <Button look="secondary" onClick={onStay}>
            Stay on This Page
          </Button>
        )}
        <ReceiptButton />
        {leaving && <span className="text-muted">Redirecting to your profile in a moment...</span>}
      </div>
    </Notice>
  );
}
