import { useState } from 'react';
import { useOnline } from '../../api/online';
import type { AppConfig, ProofChallenge } from '../../api/types';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { Spinner } from '../../ui/spinner';
import { useSession } from '../session/context';
import { DropZone, type ZoneState } from './drop-zone';
import { FileReport } from './file-report';
import { Result } from './result';
import { Samples } from './samples';
import { Steps } from './steps';
import { limitProblem, submitRefusal } from './submission';
import { useProofFile, type ProofFileState } from './use-proof-file';
import { isAccepted, useSubmission } from './use-submission';

/** Choose a file, see what is in it, send it, see the answer. */
export function UploadForm({ config, challenge }: { config: AppConfig; challenge: ProofChallenge | null }) {
  const { currentUser, isAuthenticated, tier } = useSession();
  const online = useOnline();
  const { state: file, select } = useProofFile(config);
  const submission = useSubmission(currentUser?.id ?? null);
  const { answer, isSending } = submission;
  const [refusal, setRefusal] = useState<string | null>(null);

  const choose = (chosen: File) => {
    submission.reset();
    setRefusal(null);
    void select(chosen);
  };
  const submit = () => {
    const reason = submitRefusal({ file, online, isAuthenticated });
    setRefusal(reason);
    if (reason === null && file.step === 'ready') submission.send(file.file.name, file.contents);
  };
  const limit = file.step === 'ready' ? limitProblem(file.file.name, file.contents, config) : null;
  const problem = file.step === 'refused' || file.step === 'none' ? file.problem : undefined;
  const done = answer !== null && isAccepted(answer);

  return (
    <>
      {config.development && <Samples onUse={choose} disabled={isSending} />}
      {!online && (
        <Notice tone="warning" role="alert">
          <p>You are currently offline. Please check your internet connection.</p>
        </Notice>
      )}
      <DropZone state={zoneState(file, isSending, answer && done)} file={file.step === 'none' ? null : file.file} onFile={choose} />
      {problem && (
        <Notice tone="danger" role="alert" title={problem.message}>
          {problem.detail && <p>{problem.detail}</p>}
          <p className="text-muted">Click or drag a new file to try again.</p>
        </Notice>
      )}
      {file.step === 'ready' && !done && (
        <FileReport
          file={file.file}
          contents={file.contents}
          limit={limit}
          challenge={challenge}
          sent={isSending || answer !== null}
        />
      )}
      {refusal && (
        <Notice tone="danger" role="alert">
          <p>{refusal}</p>
        </Notice>
      )}
      {isSending && file.step === 'ready' && <Steps contents={file.contents} />}
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
        <Button size="large" className="w-full" disabled={isSending || !online || limit !== null || challenge === null} onClick={submit}>
          {isSending && <Spinner className="text-on-accent" />}
          {isSending ? 'Verifying...' : 'Verify PSBT'}
        </Button>
      )}
    </>
  );
}

/** The drop zone's state; `accepted` is null while there is no answer. */
function zoneState(file: ProofFileState, isSending: boolean, accepted: boolean | null): ZoneState {
  if (isSending) return 'verifying';
  if (accepted !== null) return accepted ? 'success' : 'error';
  if (file.step === 'refused') return 'error';
  return file.step === 'reading' ? 'reading' : 'idle';
}
