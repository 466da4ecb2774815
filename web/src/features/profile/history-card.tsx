import { FileKey2 } from 'lucide-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { proofsQuery } from '../../api/own-queries';
import { appConfigQuery } from '../../api/queries';
import type { Profile, Proof } from '../../api/types';
import { formatDateTime } from '../../lib/format';
import { Button, ButtonLink } from '../../ui/button';
import { Card } from '../../ui/card';
import { Failure, FailureLine } from '../../ui/failure';
import { Spinner } from '../../ui/spinner';
import { clearMockProofs } from '../../api/mutations';
import { isMockProof, numberedHistory } from './history';
import { ProofEntry } from './proof-entry';

/** The owner's proofs, newest first. */
export function HistoryCard({ profile, paused }: { profile: Profile; paused: boolean }) {
  const proofs = useQuery({ ...proofsQuery(profile.id), enabled: !paused });
  const config = useQuery(appConfigQuery());
  const auto = profile.last_auto_reverify;
  const showMockTools = config.data?.development && proofs.data?.some(isMockProof);
  return (
    <Card
      title="Verification History"
      action={
        <div className="flex flex-wrap gap-2">
          {showMockTools && <ClearMockData userId={profile.id} />}
          <ButtonLink to="/upload" look={profile.rank === null ? 'primary' : 'secondary'}>Upload New PSBT</ButtonLink>
        </div>
      }
    >
      {auto && (
        <p className="mb-4 text-sm text-muted">
          Last auto re-verify: <time dateTime={auto}>{formatDateTime(auto)}</time>
        </p>
      )}
      {proofs.isPending ? (
        <p role="status" className="flex items-center gap-3 py-6 text-muted">
          <Spinner /> Loading...
        </p>
      ) : !proofs.data ? (
        <Failure error={proofs.error} fallback="An unknown error occurred" onRetry={() => void proofs.refetch()} />
      ) : (
        <Timeline entries={numberedHistory(proofs.data)} />
      )}
    </Card>
  );
}

function Timeline({ entries }: { entries: { number: number; proof: Proof }[] }) {
  if (entries.length === 0) {
    return (
      <div className="flex flex-col items-center gap-2 py-10 text-center">
        <FileKey2 className="size-8 text-muted" aria-hidden="true" />
        <p className="font-semibold">No verification history yet</p>
        <p className="text-sm text-muted">Upload a PSBT file to verify your Bitcoin holdings</p>
      </div>
    );
  }
  return (
    <ol className="divide-y divide-line">
      {entries.map(({ number, proof }) => (
        <ProofEntry key={proof.id} number={number} proof={proof} />
      ))}
    </ol>
  );
}

/** Development only: forgets the mock proof, then starts afresh. */
function ClearMockData({ userId }: { userId: string }) {
  const clear = useMutation({ mutationFn: () => clearMockProofs(userId), onSuccess: () => window.location.reload() });
  return (
    <>
      <Button look="secondary" disabled={clear.isPending} onClick={() => clear.mutate()}>
        Clear Mock Data
      </Button>
      <FailureLine error={clear.error} fallback="An unknown error occurred" />
    </>
  );
}
