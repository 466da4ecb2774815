import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unpublishProof } from '../../api/mutations';
import { PROFILES_KEY } from '../../api/queries';
import type { Proof, ProofSubmission } from '../../api/types';
import { Button } from '../../ui/button';
import { DocumentLink, TextButton, TextLink } from '../../ui/text-link';
import { FailureLine } from '../../ui/failure';
import { useJustProven, usePublish } from '../share/just-proven';

/** Whether a proof is published, and how to change that. */
export function Publication({ proof }: { proof: Proof }) {
  const sent = useSent(proof);
  if (proof.published) return <Published id={proof.id} />;
  if (proof.binding === 'unbound' || proof.mock) return null;
  if (sent) return <Publish userId={proof.user_id} sent={sent} />;
  return (
    <p className="mt-1 text-sm">
      <TextLink to="/upload?publish">Publish</TextLink>
    </p>
  );
}

/** The file of a proof that is still in this tab's memory; null when it is not. */
function useSent({ id, user_id }: Proof): ProofSubmission | null {
  const proven = useJustProven(user_id);
  return proven?.answer.proof_id === id ? proven.sent : null;
}

function Publish({ userId, sent }: { userId: string; sent: ProofSubmission }) {
  const publishing = usePublish(userId);
  return (
    <p className="mt-2 flex flex-wrap items-center gap-2 text-sm">
      <Button look="secondary" size="small" disabled={publishing.isPending} onClick={() => publishing.mutate(sent)}>
        {publishing.isPending ? 'Publishing...' : 'Publish'}
      </Button>
      <FailureLine error={publishing.error} fallback="Verification failed." />
    </p>
  );
}

function Published({ id }: { id: string }) {
  const queries = useQueryClient();
  const [sure, setSure] = useState(false);
  const unpublishing = useMutation({
    mutationFn: () => unpublishProof(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: PROFILES_KEY }),
  });
  return (
    <div className="mt-1 space-y-2 text-sm text-muted">
      {sure ? (
        <p className="flex flex-wrap items-center gap-2">
          <span>It still counts. Copies others made stay.</span>
          <Button look="danger" size="small" disabled={unpublishing.isPending} onClick={() => unpublishing.mutate()}>
            Unpublish it
          </Button>
          <Button look="ghost" size="small" onClick={() => setSure(false)}>
            Keep it
          </Button>
        </p>
      ) : (
        <p className="flex flex-wrap items-center gap-x-2">
          <DocumentLink to={`/verify/${id}`}>Published · Check</DocumentLink>
          <TextButton onClick={() => setSure(true)}>Unpublish</TextButton>
        </p>
      )}
      <FailureLine error={unpublishing.error} fallback="Couldn’t unpublish it. Try again." />
    </div>
  );
}
