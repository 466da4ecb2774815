import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { messageOf } from '../../lib/errors';
import { appConfigQuery, latestUploadQuery, proofChallengeQuery } from '../../api/queries';
import { Failure } from '../../ui/failure';
import { PageTitle } from '../../ui/page';
import { PageLoading } from '../../ui/spinner';
import { useSession } from '../session/context';
import { StatementMissing } from './statement-card';
import { UploadForm } from './upload-form';

/** From a wallet's file to a proof, one step at a time. */
export default function UploadPage() {
  const { currentUser } = useSession();
  const [search] = useSearchParams();
  const userId = currentUser?.id ?? '';
  const config = useQuery(appConfigQuery());
  const latest = useQuery({ ...latestUploadQuery(userId), enabled: currentUser !== null });
  const challenge = useQuery({ ...proofChallengeQuery(userId), enabled: currentUser !== null });

  if (config.isPending || latest.isPending || challenge.isPending) return <PageLoading text="Checking your upload limits..." />;
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-3 pb-10 sm:px-6 lg:pt-5">
      <PageTitle title="Upload PSBT Verification" documentTitle="Verify" className="text-sm font-medium text-muted" />
      {!challenge.data && (
        <StatementMissing
          message={messageOf(challenge.error, 'The server gave no answer.')}
          trying={challenge.isFetching}
          onTry={() => void challenge.refetch()}
        />
      )}
      {config.data ? (
        <UploadForm config={config.data} challenge={challenge.data ?? null} latest={latest.data ?? null} toPublish={search.has('publish')} />
      ) : (
        <Failure error={config.error} title="Error" fallback="The upload limits could not be read." onRetry={() => void config.refetch()} />
      )}
    </div>
  );
}
