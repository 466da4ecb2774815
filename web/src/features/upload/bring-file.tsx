import { Notice } from '../../ui/notice';
import { PasteButton } from './paste';
import type { FileProblem } from './proof-file';
import { ScanButton } from './scan';

/** The other ways to bring a file than the drop zone. */
export function OtherWays(props: { onFiles: (files: File[]) => void; disabled: boolean }) {
  return (
    <div className="flex flex-wrap items-start gap-3">
      <PasteButton {...props} />
      <ScanButton {...props} />
    </div>
  );
}

/** Why a file cannot be used, and what to do. */
export function ProblemNotice({ problem }: { problem: FileProblem }) {
  return (
    <Notice tone="danger" role="alert" title={problem.message}>
      {problem.detail && <p>{problem.detail}</p>}
      <p className="text-muted">Click or drag a new file to try again.</p>
    </Notice>
  );
}
