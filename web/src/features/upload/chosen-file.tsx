import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useOnline } from '../../api/online';
import { profileQuery } from '../../api/queries';
import type { AppConfig, ProofChallenge } from '../../api/types';
import type { Signer } from '../../lib/signers';
import { Card } from '../../ui/card';
import { Notice } from '../../ui/notice';
import { useSession } from '../session/context';
import { ShownChoice } from '../shown/shown-choice';
import { bindingOf, isMessage } from './binding';
import { OtherWays } from './bring-file';
import { DropZone } from './drop-zone';
import { FileReport } from './file-report';
import { PublishChoice } from './publish-choice';
import { Result } from './result';
import { SignCard } from './sign-card';
import { isSource, stageOf, type Stage } from './stage';
import { StepTrail, STEPS } from './step-trail';
import { Steps } from './steps';
import { inputProblem, limitProblem, submitRefusal } from './submission';
import type { ReadyFile } from './use-proof-file';
import { useSignatures } from './use-signatures';
import { isAccepted, useSubmission } from './use-submission';
import { VerifyBar } from './verify-bar';
import { WaitingCard } from './waiting-card';

interface ChosenFileProps {
  ready: ReadyFile;
  config: AppConfig;
  challenge: ProofChallenge | null;
  wallet: Signer | null;
  /** Whether somebody has come to publish it. */
  toPublish: boolean;
  onWallet: (id: string) => void;
  /** Takes further files, and whether this one waits for other parts. */
  onFiles: (files: File[], waiting?: boolean) => void;
}

/** A file that was read: have a proof made of it, sign that, see what is in it, send it, see the answer. */
export default function ChosenFile({ ready, config, challenge, wallet, toPublish, onWallet, onFiles }: ChosenFileProps) {
  const { currentUser, isAuthenticated, tier } = useSession();
  const online = useOnline();
  const { file, contents } = ready;
  const { report } = contents;
  const [wanted, setPublish] = useState(toPublish);
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
  // A range would hide what a published proof shows; the server refuses the two together.
  const ranged = useQuery({ ...profileQuery(currentUser?.id ?? ''), enabled: currentUser !== null }).data?.shown_as === 'range';
  const done = answer !== null && isAccepted(answer);
  const refusal = submitRefusal({ stage, online, isAuthenticated, hasStatement: challenge !== null, limit });
  const choose = (files: File[]) => onFiles(files, stage.at === 'cosign');
  const signing = {
    network: config.network,
    wallet,
    onChoose: onWallet,
    onSigned: config.development ? (signed: File) => choose([signed]) : null,
  };

  return (
    <>
      <StepTrail now={done ? STEPS.length : stage.at === 'prove' ? 2 : 1} />
      {ready.apart && (
        <Notice tone="warning" role="alert" title="These are not parts of one file">
          <p>{ready.apart}</p>
        </Notice>
      )}
      {stage.at === 'make' && challenge && limit === null && (
        <SignCard key={`sign ${file.name}`} file={file} signed={stage.signed} statement={challenge.statement} {...signing} />
      )}
      {(stage.at === 'sign' || stage.at === 'cosign') && (
        <WaitingCard ready={ready} waiting={stage.at === 'cosign' ? stage.waiting : []} check={check} {...signing} />
      )}
      <DropZone
        state={isSending ? 'verifying' : answer === null ? 'idle' : done ? 'success' : 'error'}
        file={file}
        hint={hintFor(stage)}
        onFiles={choose}
      />
      <OtherWays onFiles={choose} disabled={isSending} />
      {!done && (
        <FileReport
          key={`report ${file.name}`}
          contents={contents}
          signatures={signatures}
          binding={binding}
          stage={stage}
          limit={limit}
          challenge={challenge}
          sent={isSending || submission.stopped || answer !== null}
        />
      )}
      {!done && stage.at === 'prove' && limit === null && (
        <PublishChoice bound={bound} ranged={ranged} message={isMessage(report)} checked={wanted} disabled={isSending} onChange={setPublish} />
      )}
      {isSending && <Steps contents={contents} onStop={submission.stop} />}
      {submission.stopped && (
        <Notice tone="warning" role="alert" title="You stopped waiting for the answer">
          <p>
            The server may have taken the file all the same: then it is on your profile. To be sure, send it once more; a file
            that was taken already changes nothing.
          </p>
        </Notice>
      )}
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
      {!done && !isSending && stage.at === 'prove' && currentUser && (
        <Card>
          <ShownChoice userId={currentUser.id} />
        </Card>
      )}
      {!done && <VerifyBar isSending={isSending} refusal={refusal} onSend={() => submission.send({ fileName: file.name, contents, publish: wanted && bound && !ranged })} />}
    </>
  );
}

function hintFor(stage: Stage): string {
  switch (stage.at) {
    case 'make':
    case 'sign':
      return 'Bring the signed file back here: click, drag, paste or scan it.';
    case 'cosign':
      return 'Click or drag the file of the next signer here.';
    default:
      return 'Click or drag another file to replace it.';
  }
}
