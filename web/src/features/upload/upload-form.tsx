import { lazy, Suspense, useEffect, useState } from 'react';
import { useIsMutating } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useOnline } from '../../api/online';
import { SUBMIT_KEY } from '../../api/queries';
import type { AppConfig, ProofChallenge } from '../../api/types';
import { CHOSEN_FILE } from '../../lib/kept-file';
import { Notice } from '../../ui/notice';
import { TextLink } from '../../ui/text-link';
import { WhySafe } from '../../ui/why-safe';
import { BringFile } from './bring-file';
import type { Progress } from './chosen-file';
import { DropZone } from '../../ui/drop-zone';
import { later } from '../../ui/later';
import { Known } from './known';
import { StepHeading, StepTrail } from './step-trail';
import { FromWallet } from './from-wallet';
import { useMaking } from './use-making';

/** Development only. */
const Samples = later(() => import('./samples'));
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
  const making = useMaking(config, CHOSEN_FILE);
  const { wallet, file, onFiles } = making;
  // After a success nothing is to be compared any more: the result has the whole width.
  const [progress, setProgress] = useState<Progress>('open');
  const done = progress === 'done';
  const { step } = file;
  useEffect(() => {
    // What comes of it is seen when it is drawn.
    if (step === 'reading') loadChosenFile().catch(() => {});
  }, [step]);

  return (
    <div className={done ? '' : 'grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12'}>
      <div className="min-w-0 space-y-4">
        {!online && <Notice tone="warning" role="alert" className="mt-2" text="You are currently offline. Please check your internet connection." />}
        {file.step === 'ready' ? (
          <Suspense fallback={<DropZone state="reading" file={file.file} title="" hint="" onFiles={onFiles} />}>
            <ChosenFile key={file.file.name} making={making} ready={file} config={config} challenge={challenge} onProgress={setProgress} />
          </Suspense>
        ) : (
          <>
            <StepTrail now={0} />
            {toPublish ? (
              <>
                <StepHeading>Bring the same signed file again</StepHeading>
                <p className="text-sm text-muted">We didn’t keep it. The proof counts as before; you choose to publish it after this.</p>
                <BringFile title="Drop the signed file" hint="It is read in this browser." {...making} />
              </>
            ) : (
              <FromWallet network={config.network} hint="Not signed yet. Read in this browser." {...making}>
                <Reassurance />
              </FromWallet>
            )}
          </>
        )}
        {config.development && !done && <Samples onUse={(sample) => onFiles([sample])} disabled={isSending} />}
        {!done && <LegalLinks />}
      </div>
      {!done && <Known wallet={wallet} file={file} challenge={challenge} latest={latest} matches={progress === 'matches'} />}
    </div>
  );
}

/** Reassurance in one line: why it is safe to bring a file here opens below it. */
function Reassurance() {
  return (
    <details className="text-sm text-muted">
      <summary className="flex items-center gap-2 [&::-webkit-details-marker]:hidden">
        <ShieldCheck className="size-4 shrink-0 text-positive" aria-hidden="true" />
        <span>
          Nothing moves and nothing is broadcast. <span className="font-medium text-accent-ink underline underline-offset-3">How?</span>
        </span>
      </summary>
      <ul className="mt-2 list-disc space-y-1 pl-10">
        <WhySafe />
        <li>We never ask for keys or a seed phrase. Your file is read in this browser; nothing is sent before you press the button.</li>
        <li>Extended public keys and derivation paths are removed before sending. The server checks the rest and drops it.</li>
        <li>Addresses are never shown. Your total is public: an unusual total can let others find your coins.</li>
      </ul>
    </details>
  );
}

function LegalLinks() {
  return (
    <p className="text-[0.8125rem] text-muted">
      By uploading you accept the <TextLink to="/terms">terms of service</TextLink>. See the <TextLink to="/privacy">privacy policy</TextLink>.
    </p>
  );
}
