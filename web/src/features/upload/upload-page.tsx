import { useDeferredValue, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { appConfigQuery, latestUploadQuery, proofChallengeQuery } from '../../api/queries';
import { cx } from '../../lib/cx';
import { Failure } from '../../ui/failure';
import { PageTitle } from '../../ui/page';
import { PageLoading } from '../../ui/spinner';
import { useSession } from '../session/context';
import { UploadForm } from './upload-form';

/** From a wallet's file to a proof, one step at a time. */
export default function UploadPage() {
  const { currentUser } = useSession();
  const [search] = useSearchParams();
  const [done, setDone] = useState(false);
  const userId = currentUser?.id ?? '';
  const config = useQuery(appConfigQuery());
  const latest = useQuery({ ...latestUploadQuery(userId), enabled: currentUser !== null });
  const challenge = useQuery({ ...proofChallengeQuery(userId), enabled: currentUser !== null });

  // A query without data is pending again while it is retried: the form stays. Deferred, so that the browser is never busy with it for long.
  const ready = useDeferredValue(!config.isPending && !latest.isPending && challenge.isFetched, false);
  if (!ready) return <PageLoading text="Checking your upload limits..." />;
  return (
    <div className={cx('mx-auto w-full px-4 pt-3 pb-10 sm:px-6 lg:pt-5', done ? 'max-w-6xl' : 'max-w-3xl')}>
      <PageTitle title="Upload PSBT Verification" documentTitle="Verify" className="text-sm font-medium text-muted" />
      <Failure error={challenge.data ? null : (challenge.error ?? true)} title="Couldn’t get your statement" fallback="The server gave no answer." onRetry={() => void challenge.refetch()}>
        <p className="text-muted">A proof needs it, so you can’t send the file yet. This page tries again every few seconds.</p>
      </Failure>
      {config.data ? (
        <UploadForm config={config.data} challenge={challenge.data ?? null} latest={latest.data ?? null} toPublish={search.has('publish')} done={done} onDone={setDone} />
      ) : (
        <Failure error={config.error} title="Error" fallback="The upload limits could not be read." onRetry={() => void config.refetch()} />
      )}
    </div>
  );
}
