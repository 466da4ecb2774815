import { useEffect, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useOnline } from '../../api/online';
import { profileQuery } from '../../api/queries';
import type { AppConfig, ProofAnswer, ProofChallenge } from '../../api/types';
import { formatFileSize, plural } from '../../lib/format';
import { Notice } from '../../ui/notice';
import { useSession } from '../session/context';
import { Success } from '../share/success';
import type { ProofContents } from '../../psbt';
import { Working } from '../../ui/working';
import { HEADINGS } from '../share/just-proven';
import { nextOf, type Batch } from './many-scripts';
import { bindingOf, isMessage } from './binding';
import { BindingNotice } from './binding-notice';
import { ApartNotice, BringSigned } from './bring-file';
import { DropZone } from '../../ui/drop-zone';
import { FileReport } from './file-report';
import { More } from '../../ui/more';
import { Neighbors } from './neighbors';
import { OtherNetwork, useElsewhere } from './other-network';
import { PublishCard } from './publish-card';
import { SignCard } from './sign-card';
import { isSource, stageOf } from './stage';
import { StageHeading, STEPS, StepTrail } from './step-trail';
import { inputProblem, limitProblem, submitRefusal } from './submission';
import { Summary } from './summary';
import type { ReadyFile } from './use-proof-file';
import { useSignatures } from './use-signatures';
import { isAccepted, useSubmission } from './use-submission';
import type { Wallet } from '../../lib/use-wallet';
import { WaitingCard } from './waiting-card';
import { later } from '../../ui/later';

const DevelopmentWallet = later(() => import('./development-wallet'));

interface ChosenFileProps {
  ready: ReadyFile;
  config: AppConfig;
  challenge: ProofChallenge | null;
  wallet: Wallet;
  batch: Batch | null;
  onBatch: (batch: Batch | null) => void;
  /** Takes further files, and whether this one waits for other parts. */
  onFiles: (files: File[], waiting?: boolean) => void;
  onProgress: (progress: Progress) => void;
}

/** How far a chosen file is: its statement is the holder's own, or it counts. */
export type Progress = 'open' | 'matches' | 'done';

/** A file that was read: have a proof made of it, sign that, see what is in it, send it, see the answer. */
export default function ChosenFile({ ready, config, challenge, wallet, batch, onBatch, onFiles, onProgress }: ChosenFileProps) {
  const { currentUser, isAuthenticated, tier } = useSession();
  const online = useOnline();
  const { file, contents } = ready;
  const { report } = contents;
  const submission = useSubmission(currentUser?.id ?? null);
  const { answer, isSending } = submission;

  const mode = challenge?.binding ?? 'required';
  const binding = challenge && bindingOf(report, challenge);
  // Of a file that a proof is made of, only its coins come along: its own signatures do not matter.
  const making = isSource(report, binding, mode);
  const signatures = useSignatures(making ? null : file);
  const { check } = signatures;
  const stage = stageOf({ report, binding, check, mode });
  const { elsewhere, goOn } = useElsewhere(ready, config.network);
  const stopped = elsewhere !== null && stage.at !== 'prove';
  const at = stopped ? 'elsewhere' : stage.at;
  const limit = making ? inputProblem(contents, config.max_inputs) : limitProblem(file.name, contents, config);
  const bound = binding?.state === 'bound' || binding?.state === 'unknown';
  const profile = useQuery({ ...profileQuery(currentUser?.id ?? ''), enabled: currentUser !== null }).data;
  const accepted = answer !== null && isAccepted(answer) ? answer : null;
  const refusal = submitRefusal({ stage, online, isAuthenticated, hasStatement: challenge !== null, limit });
  const choose = (files: File[]) => onFiles(files, stage.at === 'cosign');
  const send = (publish: boolean) => submission.send({ fileName: file.name, contents, publish });
  const walletFor = (toSign: Blob) => <DevelopmentWallet file={toSign} onSigned={(signed) => choose([signed])} />;
  const signing = { network: config.network, wallet, walletFor: config.development ? walletFor : undefined };
  const progress = accepted ? 'done' : stage.at === 'prove' && binding?.state === 'bound' ? 'matches' : 'open';
  useEffect(() => {
    onProgress(progress);
    return () => onProgress('open');
  }, [progress, onProgress]);

  if (accepted && currentUser) {
    const next = nextOf(batch);
    return (
      <>
        <StepTrail now={STEPS.length} />
        <Success
          answer={accepted}
          coins={report.inputs.length}
          tier={tier}
          userId={currentUser.id}
          profileStale={submission.profileStale}
          leaving={submission.leaving && next === null}
          onStay={submission.stayHere}
          more={
            next && {
              text: `${next.done} of ${next.of} done. Sign the next file`,
              onPress: () => {
                onBatch(next);
                onFiles([next.source]);
              },
            }
          }
        >
          <PublishCard
            published={accepted.published ? accepted.proof_id : null}
            bound={bound}
            ranged={profile?.shown_as === 'range'}
            message={isMessage(report)}
            sending={isSending}
            trouble={submission.notPublished}
            onPublish={() => send(true)}
          />
          <Neighbors userId={currentUser.id} />
        </Success>
      </>
    );
  }
  return (
    <>
      <StepTrail now={stopped ? 0 : stage.at === 'prove' ? 2 : 1} />
      <StageHeading key={at} at={at} />
      {elsewhere && <OtherNetwork side={elsewhere} network={config.network} what="This board" onGoOn={stopped ? goOn : undefined} />}
      <ApartNotice apart={ready.apart} />
      {binding && challenge && stage.at !== 'prove' && (binding.state === 'foreign' || binding.state === 'moving') && <BindingNotice binding={binding} challenge={challenge} />}
      {stage.at === 'make' && challenge && limit === null && !stopped && (
        <SignCard
          key={`sign ${file.name}`}
          file={file}
          signed={stage.signed}
          statement={challenge.statement}
          batch={batch?.source === file ? batch : null}
          onBatch={onBatch}
          {...signing}
        />
      )}
      {(stage.at === 'sign' || stage.at === 'cosign') && !stopped && (
        <WaitingCard ready={ready} waiting={stage.at === 'cosign' ? stage.waiting : []} check={check} {...signing} />
      )}
      {stage.at === 'prove' && challenge && (
        <Summary
          contents={contents}
          signatures={signatures}
          binding={binding}
          challenge={challenge}
          limit={limit}
          profile={profile ?? null}
          isSending={isSending}
          refusal={refusal}
          onSend={() => send(false)}
        />
      )}
      {isSending && <Steps contents={contents} onStop={submission.stop} />}
      {submission.stopped && <Notice tone="warning" role="alert" title="You stopped waiting for the answer" text="The server may have accepted the file: then it is on your profile. To be sure, send it again. A file that counts already changes nothing." />}
      {answer && <Result answer={answer} />}
      {stage.at === 'prove' ? (
        !isSending && <DropZone title="Use another file" hint="" plain onFiles={choose} />
      ) : (
        <>
          <BringSigned at={at} onFiles={choose} />
          {refusal && !stopped && (
            <p role="status" className="text-sm text-muted">
              {refusal}
            </p>
          )}
          <More title="What this file contains" aside={plural(report.inputs.length, 'coin')} open={stage.at === 'mend' || limit !== null || !challenge} boxed>
            <FileReport key={`report ${file.name}`} contents={contents} signatures={signatures} binding={binding} stage={stage} limit={limit} challenge={challenge} />
          </More>
        </>
      )}
    </>
  );
}

/**
 * The progress of a file once the button is pressed. The first two steps were done on this device; the server does the
 * rest in one go and answers when all of it is done, so only what has really happened has a tick.
 */
function Steps({ contents, onStop }: { contents: ProofContents; onStop: () => void }) {
  const { report, strippedBytes } = contents;
  return (
    <ol aria-label="Progress" className="space-y-3 rounded-card border border-line bg-surface p-5 text-sm shadow-card">
      <Step text={`Read on this device: ${plural(report.inputs.length, 'coin')}`} />
      <Step text={`Private parts removed: ${formatFileSize(strippedBytes)} sent`} />
      <li>
        <Working onStop={onStop}>The server checks every signature, then looks every coin up on the chain</Working>
      </li>
    </ol>
  );
}

function Step({ text }: { text: string }) {
  return (
    <li className="flex items-center gap-3">
      <Check className="size-5 shrink-0 text-positive" aria-hidden="true" />
      <span className="text-muted">
        {text}
        <span className="sr-only"> (done)</span>
      </span>
    </li>
  );
}

/** Why the server did not accept a file, and what to do. */
export function Result({ answer }: { answer: ProofAnswer }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  if (isAccepted(answer)) return null;
  const conflict = answer.status === 'conflict';
  return (
    <div ref={box} className="scroll-mt-24 scroll-mb-36">
      <Notice tone={conflict ? 'warning' : 'danger'} role="alert" title={HEADINGS[answer.status]}>
        <p>{answer.message || (conflict ? 'Conflict detected.' : 'Verification failed.')}</p>
        {!answer.message && !conflict && <p>The server gave no reason. Send the file again in a moment.</p>}
        {conflict && <p>One or more of these UTXOs are already claimed by another user.</p>}
        {conflict && (
          <p>
            These coins are already proven by another account. If it’s yours, use it or delete it. If not, move the coins to a new address and prove
            them again.
          </p>
        )}
        <p className="text-muted">Click or drag a new file to try again.</p>
      </Notice>
    </div>
  );
}
