import type { ReactNode } from 'react';
import { formatFileSize, formatSats } from '../../lib/format';
import { ANOTHER, choiceOf, type Signer } from '../../lib/signers';
import { More } from '../../ui/more';
import { ApartNotice, BringSigned } from './bring-file';
import { FileReport } from './file-report';
import { OtherNetwork, useElsewhere } from './other-network';
import { SignCard } from './sign-card';
import type { Stage } from './stage';
import { StageHeading, StepTrail } from './step-trail';
import type { Making } from './use-making';
import type { ReadyFile } from './use-proof-file';
import type { Signatures } from './use-signatures';
import { WaitingCard } from './waiting-card';

interface SignStepProps {
  making: Making;
  ready: ReadyFile;
  stage: Stage;
  /** Whether the device that signed it has changed it. */
  changed: boolean;
  signatures: Signatures;
  /** The line to sign; null while nothing can be made or signed. */
  statement: string | null;
  network: string;
  /** The steps of the page. */
  steps: readonly string[];
  /** What is to be made: a proof for this board, or one for the reader with these words. */
  what: 'This board' | { words: string };
  /** Development only: a wallet that signs a file in place of the holder's own. */
  walletFor?: ((file: Blob) => ReactNode) | undefined;
  /** Takes the file to sign, once it is made. */
  onMade?: ((psbt: Uint8Array<ArrayBuffer>) => void) | undefined;
  /** What there is to know about the line to sign. */
  notes?: ReactNode;
  /** What the file lacks. */
  refusal?: string | null;
  /** What the report says first. */
  about?: ReactNode;
  /** Whether the report has what the holder must read. */
  open?: boolean;
  children?: ReactNode;
}

/** From a file over the coins to a proof that everyone has signed who must: the same on /upload and on /prove. */
export function SignStep({ making, ready, stage, changed, signatures, statement, network, steps, what, walletFor, onMade, notes, refusal, about, open, children }: SignStepProps) {
  const { wallet, batch, onBatch, onFiles } = making;
  const { file, contents } = ready;
  const { report } = contents;
  const { elsewhere, goOn } = useElsewhere(ready, network);
  const at = elsewhere ? 'elsewhere' : stage.at;
  const isOpen = statement !== null && !elsewhere;
  const local = what !== 'This board';
  const signing = { network, wallet, walletFor };
  return (
    <>
      <StepTrail now={steps.indexOf('Sign') - (elsewhere ? 1 : 0)} steps={steps} />
      <StageHeading key={at} at={at} title={at === 'make' || at === 'sign' ? signingTitle(report.totalInputSats, choiceOf(wallet.id).signer ?? ANOTHER) : undefined} />
      {isOpen && (stage.at === 'make' || stage.at === 'sign') && <p className="text-muted">Nothing moves. It is locked for 8,000 years.</p>}
      {elsewhere && <OtherNetwork side={elsewhere} network={network} what={local ? 'This proof' : what} onGoOn={goOn} />}
      {!changed && <ApartNotice apart={ready.apart} />}
      {children}
      {isOpen && stage.at === 'make' && (
        <SignCard
          key={`sign ${file.name}`}
          file={file}
          signed={stage.signed}
          changed={changed}
          statement={statement}
          batch={batch?.source === file ? batch : null}
          onBatch={onBatch}
          onMade={onMade}
          notes={notes}
          {...signing}
        />
      )}
      {isOpen && (stage.at === 'sign' || stage.at === 'cosign') && (
        <WaitingCard ready={ready} waiting={stage.at === 'cosign' ? stage.waiting : []} check={signatures.check} proofFor={local ? what.words : 'your account'} statement={statement} notes={notes} {...signing} />
      )}
      <BringSigned at={at} onFiles={(files) => onFiles(files, stage.at === 'cosign')} />
      {/* Of a file to sign the zone above says what to do. */}
      {refusal && !elsewhere && stage.at !== 'make' && (
        <p role="status" className="text-sm text-muted">
          {refusal}
        </p>
      )}
      <More title="What this file contains" aside={`${file.name} (${formatFileSize(file.size)})`} open={open || stage.at === 'mend'} boxed>
        <FileReport key={`report ${file.name}`} report={report} signatures={signatures} as={stage.at === 'make' ? 'source' : 'proof'} local={local}>
          {about}
        </FileReport>
      </More>
    </>
  );
}

/** What is to be signed, and where. */
function signingTitle(sats: bigint | null, signer: Signer): string {
  const what = sats === null ? 'your proof' : `${formatSats(sats)} BTC`;
  const where = signer === ANOTHER ? 'in your wallet' : signer.kind === 'device' ? `on your ${signer.name}` : `in ${signer.name}`;
  return `Sign ${what} ${where}`;
}
