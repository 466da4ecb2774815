import { useCallback } from 'react';
import { useOnline } from '../../api/online';
import type { AppConfig, ProofChallenge } from '../../api/types';
import { Notice } from '../../ui/notice';
import { useSession } from '../session/context';
import { bindingOf } from './binding';
import { OtherWays, ProblemNotice } from './bring-file';
import { CoinsCard } from './coins-card';
import { DropZone, type ZoneState } from './drop-zone';
import { FileReport } from './file-report';
import { Result } from './result';
import { Samples } from './samples';
import { SignCard } from './sign-card';
import { stageOf, type Stage } from './stage';
import { StepTrail, STEPS } from './step-trail';
import { Steps } from './steps';
import { inputProblem, limitProblem, submitRefusal } from './submission';
import { useProofFile, type ProofFileState } from './use-proof-file';
import { useSignatures } from './use-signatures';
import { isAccepted, useSubmission } from './use-submission';
import { useWallet } from './use-wallet';
import { VerifyBar } from './verify-bar';
import { WaitingCard } from './waiting-card';

/** From a wallet's file to a proof: choose it, have a proof made of it, sign that, see what is in it, send it, see the answer. */
export function UploadForm({ config, challenge }: { config: AppConfig; challenge: ProofChallenge | null }) {
  const { currentUser, isAuthenticated, tier } = useSession();
  const online = useOnline();
  const { wallet, choose: chooseWallet } = useWallet();
  const { state: file, select } = useProofFile(config);
  const ready = file.step === 'ready' ? file : null;
  const check = useSignatures(ready && ready.file);
  const submission = useSubmission(currentUser?.id ?? null);
  const { answer, isSending, reset } = submission;

  const choose = useCallback(
    (files: File[]) => {
      reset();
      void select(...files);
    },
    [reset, select],
  );
  const binding = ready && challenge && bindingOf(ready.contents.report, challenge);
  const stage = ready && stageOf({ report: ready.contents.report, binding, check, mode: challenge?.binding ?? 'required' });
  // Of a file that a proof is made of, only its coins come along.
  const making = stage?.at === 'make';
  const limit = ready && (making ? inputProblem(ready.contents, config.max_inputs) : limitProblem(ready.file.name, ready.contents, config));
  const problem = file.step === 'refused' || file.step === 'none' ? file.problem : undefined;
  const done = answer !== null && isAccepted(answer);
  const refusal = submitRefusal({ file, stage, online, isAuthenticated, hasStatement: challenge !== null, limit });
  const onSigned = config.development ? (signed: File) => choose([signed]) : null;
  const ofWallet = { network: config.network, wallet, onChoose: chooseWallet };

  return (
    <>
      {config.development && <Samples onUse={(sample) => choose([sample])} disabled={isSending} />}
      {!online && (
        <Notice tone="warning" role="alert">
          <p>You are currently offline. Please check your internet connection.</p>
        </Notice>
      )}
      <StepTrail now={done ? STEPS.length : stepOf(stage)} />
      {!ready && <CoinsCard {...ofWallet} />}
      {ready && stage?.at === 'make' && challenge && limit === null && (
        <SignCard key={`sign ${ready.file.name}`} file={ready.file} signed={stage.signed} statement={challenge.statement} onSigned={onSigned} {...ofWallet} />
      )}
      {ready && (stage?.at === 'sign' || stage?.at === 'cosign') && (
        <WaitingCard ready={ready} waiting={stage.at === 'cosign' ? stage.waiting : []} check={check} onSigned={onSigned} {...ofWallet} />
      )}
      <DropZone
        state={zoneState(file, isSending, answer && done)}
        file={file.step === 'none' ? null : file.file}
        hint={hintFor(stage)}
        onFiles={choose}
      />
      <OtherWays onFiles={choose} disabled={isSending} />
      {problem && <ProblemNotice problem={problem} />}
      {ready && stage && !done && (
        <FileReport
          key={`report ${ready.file.name}`}
          contents={ready.contents}
          check={check}
          binding={binding}
          stage={stage}
          limit={limit}
          challenge={challenge}
          sent={isSending || answer !== null}
        />
      )}
      {isSending && ready && <Steps contents={ready.contents} />}
      {answer && (
        <Result
          answer={answer}
          tier={tier}
          userId={currentUser?.id ?? null}
          leaving={submission.leaving}
          profileStale={submission.profileStale}
          onStay={submission.stayHere}
        />
      )}
      {!done && (
        <VerifyBar
          isSending={isSending}
          refusal={refusal}
          onSend={() => ready && submission.send(ready.file.name, ready.contents)}
        />
      )}
    </>
  );
}

/** The step of the trail that a file is at. */
function stepOf(stage: Stage | null): number {
  if (!stage) return 0;
  return stage.at === 'prove' ? 2 : 1;
}

function hintFor(stage: Stage | null): string {
  switch (stage?.at) {
    case undefined:
      return '.psbt, signed or not, or a completed transaction as .txn';
    case 'make':
    case 'sign':
      return 'Bring the signed file back here: click, drag, paste or scan it.';
    case 'cosign':
      return 'Click or drag the file of the next signer here.';
    default:
      return 'Click or drag another file to replace it.';
  }
}

/** The drop zone's state; `accepted` is null while there is no answer. */
function zoneState(file: ProofFileState, isSending: boolean, accepted: boolean | null): ZoneState {
  if (isSending) return 'verifying';
  if (accepted !== null) return accepted ? 'success' : 'error';
  if (file.step === 'refused') return 'error';
  return file.step === 'reading' ? 'reading' : 'idle';
}
