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
import { HEADINGS, isAccepted, useJustProven } from '../share/just-proven';
import { isMessage } from './binding';
import { BindingNotice } from './binding-notice';
import { ApartNotice, BringAnother } from './bring-file';
import { isJudging, Judging } from './judging';
import { otherNetwork } from './networks';
import { OtherNetwork } from './other-network';
import { SignStep } from './sign-step';
import { isSource, stageOf } from './stage';
import { StageHeading, STEPS, StepTrail } from './step-trail';
import { inputProblem, limitProblem, submissionOf, submitRefusal } from './submission';
import { Summary } from './summary';
import type { Making } from './use-making';
import type { ReadyFile } from './use-proof-file';
import { useBinding } from './use-binding';
import { useSignatures } from './use-signatures';
import { StatementNotes } from './statement-notes';
import { useSubmission } from './use-submission';
import { later } from '../../ui/later';

const DevelopmentWallet = later(() => import('./development-wallet'));

interface ChosenFileProps {
  making: Making;
  ready: ReadyFile;
  config: AppConfig;
  challenge: ProofChallenge | null;
  /** Whether the file counts, so that its result may have the whole width. */
  onDone: (done: boolean) => void;
}

/** A file that was read: have a proof made of it, sign that, see what is in it, send it, see the answer. */
export default function ChosenFile({ making, ready, config, challenge, onDone }: ChosenFileProps) {
  const { currentUser, isAuthenticated, tier } = useSession();
  const online = useOnline();
  const { file, contents } = ready;
  const { report } = contents;
  const submission = useSubmission(currentUser?.id ?? null);
  const { answer, isSending } = submission;

  const mode = challenge?.binding ?? 'required';
  const judged = useBinding(file, challenge?.statement ?? null);
  const binding = judged.binding ?? null;
  // Of a file that a proof is made of, only its coins come along: its own signatures do not matter.
  const source = isSource(report, binding, mode);
  const signatures = useSignatures(source || isJudging(judged) ? null : file);
  const stage = stageOf({ report, binding, check: signatures.check, mode });
  const side = otherNetwork(report, config.network);
  const limit = source ? inputProblem(contents, config.max_inputs) : limitProblem(file.name, contents, config);
  const bound = binding?.state === 'bound' || binding?.state === 'unknown';
  const profile = useQuery({ ...profileQuery(currentUser?.id ?? ''), enabled: currentUser !== null }).data;
  const proven = useJustProven(currentUser?.id ?? '');
  const accepted = answer !== null && isAccepted(answer);
  const refusal = submitRefusal({ stage, online, isAuthenticated, hasStatement: challenge !== null, limit });
  const send = () => submission.send({ sent: submissionOf(file.name, contents), coins: report.inputs.length, bound, message: isMessage(report) });
  const done = accepted;
  useEffect(() => {
    onDone(done);
    return () => onDone(false);
  }, [done, onDone]);

  if (isJudging(judged)) return <Judging judged={judged} file={file} onFiles={making.onFiles} />;
  if (accepted && currentUser && proven) {
    return (
      <>
        <StepTrail now={STEPS.length} />
        <Success
          proven={proven}
          tier={tier}
          userId={currentUser.id}
          profileStale={submission.profileStale}
          leaving={submission.leaving && making.more === null}
          onStay={submission.stayHere}
          more={making.more}
        />
      </>
    );
  }
  if (stage.at !== 'prove') {
    const walletFor = (toSign: Blob) => <DevelopmentWallet file={toSign} onSigned={(signed) => making.onFiles([signed], stage.at === 'cosign')} />;
    const notice = binding && challenge && <BindingNotice binding={binding} challenge={challenge} inputs={report.inputs} />;
    // What stops the file is said above; of an ordinary one a proof is made.
    const stopping = binding?.state === 'foreign' || binding?.state === 'moving' || binding?.state === 'changed';
    return (
      <SignStep
        making={making}
        ready={ready}
        stage={stage}
        changed={binding?.state === 'changed'}
        signatures={signatures}
        statement={limit === null && challenge ? challenge.statement : null}
        network={config.network}
        steps={STEPS}
        what="This board"
        walletFor={config.development ? walletFor : undefined}
        notes={challenge && <StatementNotes challenge={challenge} />}
        refusal={refusal}
        open={limit !== null || !challenge}
        about={
          <>
            <p className="text-muted">Read on this device. Nothing has been sent yet.{source && ' This file itself is never sent.'}</p>
            {bound && notice}
            {limit && <Notice tone="danger" role="alert" title="Too large to send" text={limit} />}
          </>
        }
      >
        {stopping && notice}
      </SignStep>
    );
  }
  return (
    <>
      <StepTrail now={STEPS.length - 1} />
      <StageHeading at="prove" />
      {side && <OtherNetwork side={side} network={config.network} what="This board" />}
      <ApartNotice apart={ready.apart} />
      {challenge && (
        <Summary
          contents={contents}
          signatures={signatures}
          binding={binding}
          challenge={challenge}
          limit={limit}
          profile={profile ?? null}
          isSending={isSending}
          refusal={refusal}
          again={answer === null || canHelp(answer)}
          onSend={send}
        />
      )}
      {isSending && <Steps contents={contents} onStop={submission.stop} />}
      {submission.stopped && <Notice tone="warning" role="alert" title="You stopped waiting for the answer" text="The server may have accepted the file: then it is on your profile. To be sure, send it again. A file that counts already changes nothing." />}
      {answer && <Result answer={answer} />}
      {!isSending && <BringAnother file={file} failed={answer !== null} onFiles={making.onFiles} />}
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

/** Whether sending the same file again can help. */
const canHelp = (answer: ProofAnswer) => !isAccepted(answer) && answer.again === true;

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
        {conflict && <p>One or more of these UTXOs are already claimed by another user.</p>}
        <p>{answer.message || (conflict ? 'Conflict detected.' : 'Verification failed.')}</p>
        {canHelp(answer) && <p>Your file is fine. Press the button again in a moment.</p>}
      </Notice>
    </div>
  );
}
