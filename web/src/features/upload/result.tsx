import { useEffect, useRef } from 'react';
import type { ProofAnswer } from '../../api/types';
import { Notice } from '../../ui/notice';
import { HEADINGS } from '../share/just-proven';
import { isAccepted } from './use-submission';

/** Why the server did not accept a file, and what to do. */
export function Result({ answer }: { answer: ProofAnswer }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  if (isAccepted(answer)) return null;
  const conflict = answer.status === 'conflict';
  return (
    <div ref={box} className="scroll-mt-24 scroll-mb-36">
      <Notice tone={conflict ? 'warning' : 'danger'} role="alert" title={HEADINGS[answer.status]}>
        <p>{answer.message || (conflict ? 'Conflict detected.' : 'Verification failed.')}</p>
        {conflict && <p>One or more of these UTXOs are already claimed by another user.</p>}
        {conflict && (
          <p>
            These coins are already proven by another account. If it’s yours, use it or delete it. If not, move the coins to a new address and prove
            them again.
          </p>
        )}
        <p className="text-muted">Click or drag a new file to try again.</p>
      </Notice>
    </div>
  );
}
