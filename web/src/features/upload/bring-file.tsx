import { formatCount, plural } from '../../lib/format';
import { Notice } from '../../ui/notice';
import { Working } from '../../ui/working';
import { PasteButton } from './paste';
import type { FileProblem } from './proof-file';
import { ScanButton } from './scan';
import type { ReadingFile } from './use-proof-file';

/** The other ways to bring a file than the drop zone. */
export function OtherWays(props: { onFiles: (files: File[]) => void; disabled: boolean }) {
  return (
    <div className="flex flex-wrap items-start gap-3">
      <PasteButton {...props} />
      <ScanButton {...props} />
    </div>
  );
}

/** Files on their way through the reader. */
export function Reading({ file: { file, done, of }, onStop }: { file: ReadingFile; onStop: () => void }) {
  return (
    <Working progress={of > 1 ? { done, of } : undefined} onStop={onStop}>
      Reading {file.name}
      {of > 1 && `, ${formatCount(done + 1)} of ${plural(of, 'file')}`}
    </Working>
  );
}

/** Why a file cannot be used, and what to do. */
export function ProblemNotice({ problem }: { problem: FileProblem }) {
  return (
    <Notice tone="danger" role="alert" title={problem.message}>
      {problem.detail && <p>{problem.detail}</p>}
      {problem.next && <p>{problem.next}</p>}
      <p className="text-muted">Click or drag a new file to try again.</p>
    </Notice>
  );
}
