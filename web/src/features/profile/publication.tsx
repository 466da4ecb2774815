import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { withdrawProof } from '../../api/mutations';
import { PROFILES_KEY } from '../../api/queries';
import type { Proof } from '../../api/types';
import { Button } from '../../ui/button';
import { DocumentLink, TextLink } from '../../ui/text-link';
import { FailureLine } from '../../ui/failure';

/** Whether a proof is published, and how to change that. */
export function Publication({ proof }: { proof: Proof }) {
  if (proof.published) return <Published id={proof.id} />;
  if (proof.binding === 'unbound' || proof.mock) return null;
  return (
    <p className="mt-3 text-sm text-muted">
      Not published: only we have checked it. <TextLink to="/upload?publish">Publish it</TextLink> with the same file.
    </p>
  );
}

function Published({ id }: { id: string }) {
  const queries = useQueryClient();
  const [sure, setSure] = useState(false);
  const withdrawing = useMutation({
    mutationFn: () => withdrawProof(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: PROFILES_KEY }),
  });
  return (
    <div className="mt-3 space-y-2 text-sm text-muted">
      <p>
        Anyone can{' '}
        <DocumentLink to={`/verify/${id}`}>check it</DocumentLink>
        .
      </p>
      {sure ? (
        <p className="flex flex-wrap items-center gap-2">
          <span>It still counts. We delete our copy; others may have theirs.</span>
          <Button look="danger" size="small" disabled={withdrawing.isPending} onClick={() => withdrawing.mutate()}>
            Withdraw it
          </Button>
          <Button look="ghost" size="small" onClick={() => setSure(false)}>
            Keep it
          </Button>
        </p>
      ) : (
        <Button look="secondary" size="small" onClick={() => setSure(true)}>
          Withdraw
        </Button>
      )}
      <FailureLine error={withdrawing.error} fallback="Couldn’t withdraw it. Try again." />
    </div>
  );
}
