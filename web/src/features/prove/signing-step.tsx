import { useState } from 'react';
import { messageOf } from '../../lib/errors';
import { Button } from '../../ui/button';
import { DropZone } from '../../ui/drop-zone';
import { Notice } from '../../ui/notice';
import { Spinner } from '../../ui/spinner';
import type { Binding } from '../upload/binding';
import { ChangedNotice } from '../upload/binding-notice';
import { SignStep } from '../upload/sign-step';
import { stageOf } from '../upload/stage';
import { StepHeading, StepTrail } from '../upload/step-trail';
import type { Making } from '../upload/use-making';
import type { ReadyFile } from '../upload/use-proof-file';
import { isJudging, Judging } from '../upload/judging';
import { useBinding } from '../upload/use-binding';
import { useSignatures } from '../upload/use-signatures';
import { type Asked, STEPS } from './asked';
import { EveryKey } from './every-key';
import { ReportStep } from './report-step';
import { useReaderProof } from './use-reader-proof';

interface SigningStepProps {
  asked: Asked;
  making: Making;
  ready: ReadyFile;
  /** The file to sign that was made last. */
  made: Uint8Array<ArrayBuffer> | null;
  onMade: (psbt: Uint8Array<ArrayBuffer>) => void;
}

/** A file that was read: make the file to sign of it, have it signed by all who must, and show the proof. */
export function SigningStep({ asked, making, ready, made, onMade }: SigningStepProps) {
  const { file, contents } = ready;
  const { report } = contents;
  const judged = useBinding(file, asked.statement);
  const binding: Binding = judged.binding ?? { state: 'unbound' };
  // A file with the line of an earlier request of the same reader is as good as one without.
  const isOwn = binding.state === 'bound' || (binding.state === 'unknown' && binding.why !== 'earlier-code');
  const changed = binding.state === 'changed';
  const signatures = useSignatures(isOwn ? file : null);
  const stage = stageOf({ report, binding: isOwn ? binding : { state: 'unbound' }, check: signatures.check, mode: 'required' });
  if (isJudging(judged)) return <Judging judged={judged} file={file} onFiles={making.onFiles} />;
  if (stage.at !== 'prove') {
    return (
      <SignStep
        making={making}
        ready={ready}
        stage={stage}
        changed={changed}
        signatures={signatures}
        statement={asked.statement}
        network={asked.block.network}
        steps={STEPS}
        what={{ words: asked.words }}
        onMade={onMade}
      >
        {changed && <ChangedNotice />}
        {!isOwn && !changed && binding.state !== 'unbound' && <Notice tone="warning" role="alert" title="This file is not your proof for this reader" text="It carries another line, or could move coins. A new file is made of its coins below." />}
      </SignStep>
    );
  }
  if (signatures.check === undefined) return <Spinner />;
  const { more } = making;
  return (
    <>
      <Finished asked={asked} made={made} ready={ready} />
      <div className="flex flex-wrap gap-3 print:hidden">
        {more && <Button onClick={more.onPress}>{more.text}</Button>}
        <DropZone title="Use another file" hint="" plain onFiles={making.onFiles} />
      </div>
    </>
  );
}

function Finished({ asked, made, ready }: { asked: Asked; made: Uint8Array<ArrayBuffer> | null; ready: ReadyFile }) {
  // The file to sign that was made before the signed one came.
  const [before] = useState(made);
  const [everyKey, setEveryKey] = useState(false);
  const { data: built, error } = useReaderProof({ asked, made: before, ready, everyKey });
  return (
    <>
      <div className="space-y-4 print:hidden">
        <StepTrail now={built ? STEPS.length : 3} steps={STEPS} />
        <StepHeading>{error ? 'This signed file is no proof' : 'Your proof for one reader'}</StepHeading>
        {!built && !error && <p role="status">Making the proof file...</p>}
        {error && <Notice tone="danger" role="alert" title={messageOf(error, 'The proof file could not be made. Sign the file again.')} text="Sign the file that was made here, and drop what your wallet gives back." />}
      </div>
      {built && <EveryKey built={built} everyKey={everyKey} onEveryKey={setEveryKey} />}
      {built && <ReportStep key={built.sha256} asked={asked} built={built} />}
    </>
  );
}
