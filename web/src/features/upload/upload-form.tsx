import { lazy, Suspense, useEffect } from 'react';
import { useIsMutating } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useOnline } from '../../api/online';
import { SUBMIT_KEY } from '../../api/queries';
import type { AppConfig, ProofChallenge } from '../../api/types';
import { expiryOf } from '../../lib/expiry';
import { formatDate } from '../../lib/format';
import { CHOSEN_FILE } from '../../lib/kept-file';
import { DropZone } from '../../ui/drop-zone';
import { later } from '../../ui/later';
import { More } from '../../ui/more';
import { Notice } from '../../ui/notice';
import { TextLink } from '../../ui/text-link';
import { WhySafe } from '../../ui/why-safe';
import { BringFile } from './bring-file';
import { FromWallet } from './from-wallet';
import { StepHeading, StepTrail } from './step-trail';
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
  /** Whether the file counts: its result has the whole width. */
  done: boolean;
  onDone: (done: boolean) => void;
}

/** One step at a time, in one column. */
export function UploadForm({ config, challenge, latest, toPublish, done, onDone }: UploadFormProps) {
  const online = useOnline();
  const isSending = useIsMutating({ mutationKey: SUBMIT_KEY }) > 0;
  const making = useMaking(config, CHOSEN_FILE);
  const { file, onFiles } = making;
  const { step } = file;
  useEffect(() => {
    // What comes of it is seen when it is drawn.
    if (step === 'reading') loadChosenFile().catch(() => {});
  }, [step]);

  return (
    <div className="space-y-4">
      {!online && <Notice tone="warning" role="alert" className="mt-2" text="You are currently offline. Please check your internet connection." />}
      {file.step === 'ready' ? (
        <Suspense fallback={<DropZone state="reading" file={file.file} title="" hint="" onFiles={onFiles} />}>
          <ChosenFile key={file.file.name} making={making} ready={file} config={config} challenge={challenge} onDone={onDone} />
        </Suspense>
      ) : (
        <>
          <StepTrail now={0} />
          {toPublish ? (
            <>
              <StepHeading>Bring the same signed file again</StepHeading>
              <p className="text-sm text-muted">We didn’t keep it. The proof counts as before; you choose to publish it after this.</p>
              <BringFile title="Drop the signed file" hint="Read in this browser." {...making} />
            </>
          ) : (
            <FromWallet network={config.network} hint="It never leaves this browser as it is." {...making} />
          )}
          <Questions latest={latest} />
        </>
      )}
      {config.development && !done && <Samples onUse={(sample) => onFiles([sample])} disabled={isSending} />}
      {!done && (
        <p className="flex gap-4 text-[0.8125rem] text-muted">
          <TextLink to="/terms">Terms of service</TextLink>
          <TextLink to="/privacy">Privacy policy</TextLink>
        </p>
      )}
    </div>
  );
}

/** What newcomers ask, folded, and when the next proof is due. */
function Questions({ latest }: Pick<UploadFormProps, 'latest'>) {
  const due = latest && expiryOf(latest);
  return (
    <div className="divide-y divide-line border-y border-line">
      {due && (
        <p className="py-3.5 text-sm text-muted">
          Next proof due{' '}
          <time dateTime={due.toISOString()} className="font-medium text-ink">
            {formatDate(due)}
          </time>
        </p>
      )}
      <More
        title={
          <span className="flex items-center gap-2">
            <ShieldCheck className="size-4 shrink-0 text-positive" aria-hidden="true" />
            Nothing moves. How?
          </span>
        }
      >
        <ul className="list-disc space-y-1 pl-5">
          <WhySafe />
          <li>We never ask for keys or a seed phrase. Your file is read in this browser; nothing is sent before you press the button.</li>
          <li>Extended public keys and derivation paths are removed before sending. The server checks the rest and drops it.</li>
          <li>Addresses are never shown. Your total is public: an unusual total can let others find your coins.</li>
        </ul>
      </More>
      <More title="What is a PSBT file?">
        <p>
          A Partially Signed Bitcoin Transaction (BIP-174) is the file that wallets pass around for signing. Signing one proves that you control its
          coins, even if no block can ever take it.
        </p>
        <p>
          <TextLink to="/how-it-works">How it works</TextLink> · <TextLink to="/inspect">Inspect a PSBT</TextLink>
        </p>
      </More>
    </div>
  );
}
