import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useIsMutating } from '@tanstack/react-query';
import { useOnline } from '../../api/online';
import { SUBMIT_KEY } from '../../api/queries';
import type { AppConfig, ProofChallenge } from '../../api/types';
import { CHOSEN_FILE } from '../../lib/kept-file';
import { Notice } from '../../ui/notice';
import type { Batch } from './batch';
import { OtherWays, ProblemNotice, Reading } from './bring-file';
import { DropZone } from './drop-zone';
import { LegalLinks, Reassurance } from './guidance';
import { Known } from './known';
import { StepTrail } from './step-trail';
import { useProofFile } from './use-proof-file';
import { useWallet, type Wallet } from './use-wallet';
import { WalletPicker, WalletSteps } from './wallet-picker';

/** Development only. */
const Samples = lazy(() => import('./samples'));
/** Loaded together with the reader, so the page itself appears sooner. */
const loadChosenFile = () => import('./chosen-file');
const ChosenFile = lazy(loadChosenFile);

interface UploadFormProps {
  config: AppConfig;
  challenge: ProofChallenge | null;
  /** When the latest proof was made. */
  latest: string | null;
  /** Whether the holder has come to publish a proof that counts already. */
  toPublish: boolean;
}

/** The step on the left, what is known so far on the right; on a phone one below the other. */
export function UploadForm({ config, challenge, latest, toPublish }: UploadFormProps) {
  const online = useOnline();
  const isSending = useIsMutating({ mutationKey: SUBMIT_KEY }) > 0;
  const wallet = useWallet();
  const { state: file, select, stop } = useProofFile(config, CHOSEN_FILE);
  const choose = useCallback((files: File[], waiting?: boolean) => void select(files, waiting), [select]);
  const [batch, setBatch] = useState<Batch | null>(null);
  // After a success nothing is to be compared any more: the result has the whole width.
  const [done, setDone] = useState(false);
  const { step } = file;
  useEffect(() => {
    // What comes of it is seen when it is drawn.
    if (step === 'reading') loadChosenFile().catch(() => {});
  }, [step]);

  return (
    <div className={done ? '' : 'grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12'}>
      <div className="min-w-0 space-y-4">
        {!online && (
          <Notice tone="warning" role="alert">
            <p>You are currently offline. Please check your internet connection.</p>
          </Notice>
        )}
        {file.step === 'ready' ? (
          <Suspense fallback={<DropZone state="reading" file={file.file} title="" hint="" onFiles={choose} />}>
            <ChosenFile
              key={file.file.name}
              ready={file}
              config={config}
              challenge={challenge}
              wallet={wallet}
              batch={batch}
              onBatch={setBatch}
              onFiles={choose}
              onDone={setDone}
            />
          </Suspense>
        ) : (
          <Bring wallet={wallet} network={config.network} toPublish={toPublish} file={file} onFiles={choose} onStop={stop} />
        )}
        {config.development && !done && (
          <Suspense>
            <Samples onUse={(sample) => choose([sample])} disabled={isSending} />
          </Suspense>
        )}
        {!done && <LegalLinks />}
      </div>
      {!done && <Known wallet={wallet} file={file} challenge={challenge} latest={latest} />}
    </div>
  );
}

interface BringProps {
  wallet: Wallet;
  network: string;
  toPublish: boolean;
  file: Exclude<ReturnType<typeof useProofFile>['state'], { step: 'ready' }>;
  onFiles: (files: File[]) => void;
  onStop: () => void;
}

/** The first step: which wallet, and its file. */
function Bring({ wallet, network, toPublish, file, onFiles, onStop }: BringProps) {
  const name = wallet.signer && wallet.id !== 'another' ? wallet.signer.name : null;
  return (
    <>
      <StepTrail now={0} />
      <h2 className="pt-1 text-[1.375rem]/7 font-bold sm:text-[1.75rem]/9">
        {toPublish ? 'Bring the same signed file again' : 'Which wallet or device holds your bitcoin?'}
      </h2>
      {toPublish ? <p className="text-sm text-muted">We didn’t keep it. The proof counts as before; you choose to publish it after this.</p> : <Reassurance />}
      {!toPublish && <WalletPicker wallet={wallet} />}
      <DropZone
        state={file.step === 'refused' ? 'error' : file.step === 'reading' ? 'reading' : 'idle'}
        file={file.step === 'none' ? null : file.file}
        title={toPublish ? 'Drop the signed file' : name ? `Drop the file from ${name}` : 'Drop a PSBT of your coins'}
        hint={toPublish ? 'It is read in this browser.' : 'Not signed yet. Read in this browser.'}
        onFiles={onFiles}
      />
      {file.step === 'reading' && <Reading file={file} onStop={onStop} />}
      {file.step !== 'reading' && file.problem && <ProblemNotice problem={file.problem} />}
      <OtherWays onFiles={onFiles} disabled={false} />
      {!toPublish && <WalletSteps wallet={wallet} network={network} />}
    </>
  );
}
