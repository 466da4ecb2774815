import { lazy, Suspense, useCallback, useEffect } from 'react';
import { useIsMutating } from '@tanstack/react-query';
import { useOnline } from '../../api/online';
import { SUBMIT_KEY } from '../../api/queries';
import type { AppConfig, ProofChallenge } from '../../api/types';
import { Notice } from '../../ui/notice';
import { OtherWays, ProblemNotice, Reading } from './bring-file';
import { CoinsCard } from './coins-card';
import { DropZone } from './drop-zone';
import { fileRefusal } from './proof-file';
import { StepTrail } from './step-trail';
import { useProofFile } from './use-proof-file';
import { useWallet } from './use-wallet';
import { VerifyBar } from './verify-bar';

/** Development only. */
const Samples = lazy(() => import('./samples'));
/** It comes beside the reader, so that the page itself is there sooner. */
const loadChosenFile = () => import('./chosen-file');
const ChosenFile = lazy(loadChosenFile);

/** From a wallet's file to a proof. */
export function UploadForm({ config, challenge, toPublish }: { config: AppConfig; challenge: ProofChallenge | null; toPublish: boolean }) {
  const online = useOnline();
  const isSending = useIsMutating({ mutationKey: SUBMIT_KEY }) > 0;
  const { wallet, choose: chooseWallet } = useWallet();
  const { state: file, select, stop } = useProofFile(config);
  const choose = useCallback((files: File[], waiting?: boolean) => void select(files, waiting), [select]);
  const { step } = file;
  useEffect(() => {
    // What comes of it is seen when it is drawn.
    if (step === 'reading') loadChosenFile().catch(() => {});
  }, [step]);

  return (
    <>
      {config.development && (
        <Suspense>
          <Samples onUse={(sample) => choose([sample])} disabled={isSending} />
        </Suspense>
      )}
      {!online && (
        <Notice tone="warning" role="alert">
          <p>You are currently offline. Please check your internet connection.</p>
        </Notice>
      )}
      {file.step === 'ready' ? (
        <Suspense fallback={<DropZone state="reading" file={file.file} hint="" onFiles={choose} />}>
          <ChosenFile ready={file} config={config} challenge={challenge} wallet={wallet} toPublish={toPublish} onWallet={chooseWallet} onFiles={choose} />
        </Suspense>
      ) : (
        <>
          <StepTrail now={0} />
          <CoinsCard network={config.network} wallet={wallet} onChoose={chooseWallet} />
          <DropZone
            state={file.step === 'refused' ? 'error' : file.step === 'reading' ? 'reading' : 'idle'}
            file={file.step === 'none' ? null : file.file}
            hint=".psbt, signed or not, or a completed transaction as .txn"
            onFiles={choose}
          />
          <OtherWays onFiles={choose} disabled={false} />
          {file.step === 'reading' && <Reading file={file} onStop={stop} />}
          {file.step !== 'reading' && file.problem && <ProblemNotice problem={file.problem} />}
          <VerifyBar isSending={false} refusal={fileRefusal(file)} onSend={() => {}} />
        </>
      )}
    </>
  );
}
