import { useCallback, useState } from 'react';
import { messageOf } from '../../lib/errors';
import { plural } from '../../lib/format';
import { Button } from '../../ui/button';
import { More } from '../../ui/more';
import { Notice } from '../../ui/notice';
import { Spinner } from '../../ui/spinner';
import { nextOf, type Batch } from '../upload/many-scripts';
import { bindingOf, type Binding } from '../upload/binding';
import { ApartNotice, BringSigned } from '../upload/bring-file';
import { InputList } from '../upload/coin-list';
import { OtherNetwork, useElsewhere } from '../upload/other-network';
import { DropZone } from '../../ui/drop-zone';
import { SignCard } from '../upload/sign-card';
import { SignatureNotice } from '../upload/signatures';
import { stageOf } from '../upload/stage';
import { StageHeading, StepHeading, StepTrail } from '../upload/step-trail';
import type { ReadyFile } from '../upload/use-proof-file';
import { useSignatures } from '../upload/use-signatures';
import type { Wallet } from '../../lib/use-wallet';
import { WaitingCard } from '../upload/waiting-card';
import { type Asked, carrierOf, STEPS } from './asked';
import { ReportStep } from './report-step';
import { useReaderProof } from './use-reader-proof';

interface SigningStepProps {
  asked: Asked;
  ready: ReadyFile;
  wallet: Wallet;
  batch: Batch | null;
  onBatch: (batch: Batch | null) => void;
  /** Takes further files, and whether this one waits for other parts. */
  onFiles: (files: File[], waiting?: boolean) => void;
  /** The file to sign that was made last. */
  made: Uint8Array<ArrayBuffer> | null;
  onMade: (psbt: Uint8Array<ArrayBuffer>) => void;
}

/** A file that was read: make the file to sign of it, have it signed by all who must, and show the proof. */
export function SigningStep({ asked, ready, wallet, batch, onBatch, onFiles, made, onMade }: SigningStepProps) {
  const { file, contents } = ready;
  const { report } = contents;
  const binding = bindingOf(report, carrierOf(asked.statement));
  // A file with the line of an earlier request of the same reader is as good as one without.
  const isOwn = binding.state === 'bound' || (binding.state === 'unknown' && binding.why !== 'earlier-code');
  const signatures = useSignatures(isOwn ? file : null);
  const usable: Binding = isOwn ? binding : { state: 'unbound' };
  const stage = stageOf({ report, binding: usable, check: signatures.check, mode: 'required' });
  const signing = { network: asked.block.network, wallet };
  const { elsewhere, goOn } = useElsewhere(ready, asked.block.network);
  const choose = useCallback((files: File[]) => onFiles(files, stage.at === 'cosign'), [onFiles, stage.at]);
  if (stage.at === 'prove' && signatures.check === undefined) return <Spinner />;
  if (stage.at === 'prove') {
    const next = nextOf(batch);
    return (
      <>
        <Finished asked={asked} made={made} ready={ready} />
        <div className="flex flex-wrap gap-3 print:hidden">
          {next && (
            <Button
              onClick={() => {
                onBatch(next);
                onFiles([next.source]);
              }}
            >
              {`${next.done} of ${next.of} done. Sign the next file`}
            </Button>
          )}
          <DropZone title="Use another file" hint="" plain onFiles={choose} />
        </div>
      </>
    );
  }
  const at = elsewhere ? 'elsewhere' : stage.at;
  return (
    <>
      <StepTrail now={elsewhere ? 1 : 2} steps={STEPS} />
      <StageHeading key={at} at={at} />
      {elsewhere && <OtherNetwork side={elsewhere} network={asked.block.network} what="This proof" onGoOn={goOn} />}
      <ApartNotice apart={ready.apart} />
      {!isOwn && binding.state !== 'unbound' && <Notice tone="warning" role="alert" title="This file is not your proof for this reader" text="It carries another line, or could move coins. A new file is made of its coins below." />}
      {stage.at === 'make' && !elsewhere && (
        <SignCard
          key={`sign ${file.name}`}
          file={file}
          signed={stage.signed}
          statement={asked.statement}
          batch={batch?.source === file ? batch : null}
          onBatch={onBatch}
          onMade={onMade}
          {...signing}
        />
      )}
      {(stage.at === 'sign' || stage.at === 'cosign') && !elsewhere && (
        <WaitingCard ready={ready} waiting={stage.at === 'cosign' ? stage.waiting : []} check={signatures.check} proofFor={asked.words} {...signing} />
      )}
      <BringSigned at={at} onFiles={choose} />
      <More title="What this file contains" aside={plural(report.inputs.length, 'coin')} open={stage.at === 'mend'} boxed>
        {isOwn && <SignatureNotice report={report} signatures={signatures} local />}
        <InputList inputs={report.inputs} check={signatures.check ?? null} />
      </More>
    </>
  );
}

function Finished({ asked, made, ready }: { asked: Asked; made: Uint8Array<ArrayBuffer> | null; ready: ReadyFile }) {
  // The file to sign that was made before the signed one came.
  const [before] = useState(made);
  const { data: built, error } = useReaderProof(asked, before, ready);
  return (
    <>
      <div className="space-y-4 print:hidden">
        <StepTrail now={built ? STEPS.length : 3} steps={STEPS} />
        <StepHeading>{error ? 'This signed file is no proof' : 'Your proof for one reader'}</StepHeading>
        {!built && !error && <p role="status">Making the proof file...</p>}
        {error && <Notice tone="danger" role="alert" title={messageOf(error, 'The proof file could not be made. Sign the file again.')} text="Sign the file that was made here, and drop what your wallet gives back." />}
      </div>
      {built && <ReportStep key={built.sha256} asked={asked} built={built} />}
    </>
  );
}
