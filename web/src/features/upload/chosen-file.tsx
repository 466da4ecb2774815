import { lazy, Suspense, useEffect, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useOnline } from '../../api/online';
import { profileQuery } from '../../api/queries';
import type { AppConfig, ProofChallenge } from '../../api/types';
import { plural } from '../../lib/format';
import { Notice } from '../../ui/notice';
import { useSession } from '../session/context';
import { Success } from '../share/success';
import type { Batch } from './batch';
import { bindingOf, isMessage } from './binding';
import { BindingNotice } from './binding-notice';
import { OtherWays } from './bring-file';
import { DropZone } from './drop-zone';
import { FileReport } from './file-report';
import { More } from './more';
import { PublishCard } from './publish-card';
import { Result } from './result';
import { SignCard } from './sign-card';
import { isSource, stageOf, type Stage } from './stage';
import { StepTrail, STEPS } from './step-trail';
import { Steps } from './steps';
import { inputProblem, limitProblem, submitRefusal } from './submission';
import { Summary } from './summary';
import type { ReadyFile } from './use-proof-file';
import { useSignatures } from './use-signatures';
import { isAccepted, useSubmission } from './use-submission';
import type { Wallet } from './use-wallet';
import { WaitingCard } from './waiting-card';

const DevelopmentWallet = lazy(() => import('./development-wallet'));

interface ChosenFileProps {
  ready: ReadyFile;
  config: AppConfig;
  challenge: ProofChallenge | null;
  wallet: Wallet;
  batch: Batch | null;
  onBatch: (batch: Batch | null) => void;
  /** Takes further files, and whether this one waits for other parts. */
  onFiles: (files: File[], waiting?: boolean) => void;
  onDone: (done: boolean) => void;
}

/** A file that was read: have a proof made of it, sign that, see what is in it, send it, see the answer. */
export default function ChosenFile({ ready, config, challenge, wallet, batch, onBatch, onFiles, onDone }: ChosenFileProps) {
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
  const limit = making ? inputProblem(contents, config.max_inputs) : limitProblem(file.name, contents, config);
  const bound = binding?.state === 'bound' || binding?.state === 'unknown';
  const profile = useQuery({ ...profileQuery(currentUser?.id ?? ''), enabled: currentUser !== null }).data;
  const accepted = answer !== null && isAccepted(answer) ? answer : null;
  const refusal = submitRefusal({ stage, online, isAuthenticated, hasStatement: challenge !== null, limit });
  const choose = (files: File[]) => onFiles(files, stage.at === 'cosign');
  const send = (publish: boolean) => submission.send({ fileName: file.name, contents, publish });
  const walletFor = (toSign: Blob) => (
    <Suspense>
      <DevelopmentWallet file={toSign} onSigned={(signed) => choose([signed])} />
    </Suspense>
  );
  const signing = { network: config.network, wallet, walletFor: config.development ? walletFor : undefined };
  const isDone = accepted !== null;
  useEffect(() => {
    onDone(isDone);
    return () => onDone(false);
  }, [isDone, onDone]);

  if (accepted && currentUser) {
    const next = batch && batch.done + 1 < batch.of ? { ...batch, done: batch.done + 1 } : null;
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
        </Success>
      </>
    );
  }
  return (
    <>
      <StepTrail now={stage.at === 'prove' ? 2 : 1} />
      <Heading key={stage.at} stage={stage} />
      {ready.apart && (
        <Notice tone="warning" role="alert" title="These are not parts of one file">
          <p>{ready.apart}</p>
        </Notice>
      )}
      {binding && challenge && stage.at !== 'prove' && (binding.state === 'foreign' || binding.state === 'moving') && <BindingNotice binding={binding} challenge={challenge} />}
      {stage.at === 'make' && challenge && limit === null && (
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
      {(stage.at === 'sign' || stage.at === 'cosign') && (
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
      {submission.stopped && (
        <Notice tone="warning" role="alert" title="You stopped waiting for the answer">
          <p>The server may have accepted the file: then it is on your profile. To be sure, send it again. A file that counts already changes nothing.</p>
        </Notice>
      )}
      {answer && <Result answer={answer} />}
      {stage.at === 'prove' ? (
        !isSending && <DropZone state="idle" file={file} title="Use another file" hint="" plain onFiles={choose} />
      ) : (
        <>
          <DropZone state="idle" file={null} title={stage.at === 'cosign' ? 'Drop the next signer’s file here' : 'Drop the signed file here'} hint="It is read in this browser." quiet onFiles={choose} />
          <OtherWays onFiles={choose} disabled={isSending} />
          {refusal && (
            <p role="status" className="text-sm text-muted">
              {refusal}
            </p>
          )}
          <div className="rounded-card border border-line bg-surface px-5">
            <More title="What this file contains" aside={plural(report.inputs.length, 'coin')} open={stage.at === 'mend' || limit !== null || !challenge}>
              <FileReport key={`report ${file.name}`} contents={contents} signatures={signatures} binding={binding} stage={stage} limit={limit} challenge={challenge} />
            </More>
          </div>
        </>
      )}
    </>
  );
}

const HEADINGS: Record<Stage['at'], string> = {
  make: 'Sign your proof',
  sign: 'Sign your proof',
  cosign: 'More signatures are needed',
  mend: 'A signature is not valid',
  prove: 'Your proof is signed',
};

/** The name of the step, which takes the focus: it may begin above what was pressed. */
function Heading({ stage }: { stage: Stage }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1} className="scroll-mt-36 pt-1 text-[1.375rem]/7 font-bold sm:text-[1.75rem]/9">
      {HEADINGS[stage.at]}
    </h2>
  );
}
