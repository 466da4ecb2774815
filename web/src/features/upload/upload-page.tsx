import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { messageOf } from '../../api/client';
import { appConfigQuery, latestUploadQuery, proofChallengeQuery } from '../../api/queries';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { PageLoading } from '../../ui/spinner';
import { useSession } from '../session/context';
import { LegalLinks, NextUpload, PsbtFaq, SecurityBox } from './guidance';
import { PublishAgain } from './publish-again';
import { StatementCard, StatementMissing } from './statement-card';
import { UploadForm } from './upload-form';

/** Upload a PSBT: see what is in it, then send the minimum to be verified. */
export default function UploadPage() {
  const { currentUser } = useSession();
  const [search] = useSearchParams();
  const toPublish = search.has('publish');
  const userId = currentUser?.id ?? '';
  const config = useQuery(appConfigQuery());
  const latest = useQuery({ ...latestUploadQuery(userId), enabled: currentUser !== null });
  const challenge = useQuery({ ...proofChallengeQuery(userId), enabled: currentUser !== null });

  if (config.isPending || latest.isPending || challenge.isPending) return <PageLoading text="Checking your upload limits..." />;
  return (
    <Page
      title="Upload PSBT Verification"
      documentTitle="Verify"
      width="medium"
      intro="From a file of your wallet to a place on the board: your coins, your signature, the proof."
    >
      <div className="space-y-6">
        {toPublish && <PublishAgain />}
        <NextUpload latest={latest.data ?? null} />
        <SecurityBox />
        {!challenge.data && (
          <StatementMissing
            message={messageOf(challenge.error, 'The server gave no answer.')}
            trying={challenge.isFetching}
            onTry={() => void challenge.refetch()}
          />
        )}
        {config.data ? (
          <UploadForm config={config.data} challenge={challenge.data ?? null} toPublish={toPublish} />
        ) : (
          <Notice tone="danger" role="alert" title="Error">
            <p>{messageOf(config.error, 'The upload limits could not be read.')}</p>
            <Button className="mt-2" onClick={() => void config.refetch()}>
              Try Again
            </Button>
          </Notice>
        )}
        {challenge.data && <StatementCard challenge={challenge.data} />}
        <PsbtFaq />
        <LegalLinks />
      </div>
    </Page>
  );
}
