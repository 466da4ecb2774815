import { useState, type ReactNode } from 'react';
import { ScanQrCode } from 'lucide-react';
import { formatCount, formatFileSize, plural } from '../../lib/format';
import { Notice } from '../../ui/notice';
import { Working } from '../../ui/working';
import { Button } from '../../ui/button';
import { DropZone } from '../../ui/drop-zone';
import { PasteField } from './paste';
import type { FileProblem } from './proof-file';
import type { Place } from './step-trail';
import type { ProofFileState, ReadyFile } from './use-proof-file';
import { later } from '../../ui/later';

/** A file on its way here. */
export interface Bringing {
  file: ProofFileState;
  onFiles: (files: File[]) => void;
  onStop: () => void;
}

/** All ways to bring a file, and how its reading goes. */
export function BringFile({ file, title, hint, onFiles, onStop }: Bringing & { title: string; hint: string }) {
  const problem = file.step === 'refused' || file.step === 'none' ? file.problem : undefined;
  return (
    <>
      <DropZone
        state={file.step === 'refused' ? 'error' : file.step === 'reading' ? 'reading' : 'idle'}
        file={file.step === 'none' ? null : file.file}
        title={title}
        hint={hint}
        quiet={file.step === 'ready'}
        onFiles={onFiles}
      />
      {file.step === 'reading' && (
        <Working progress={file.of > 1 ? { done: file.done, of: file.of } : undefined} onStop={onStop}>
          Reading {file.file.name}
          {file.of > 1 && `, ${formatCount(file.done + 1)} of ${plural(file.of, 'file')}`}
        </Working>
      )}
      {problem && <ProblemNotice problem={problem} />}
      <OtherWays onFiles={onFiles}>{file.step === 'none' && <p className="text-[0.8125rem] text-muted">No file selected.</p>}</OtherWays>
    </>
  );
}

/** The other ways to bring a file than the drop zone. */
function OtherWays({ onFiles, children }: Pick<Bringing, 'onFiles'> & { children?: ReactNode }) {
  return (
    <div className="space-y-3">
      <PasteField onFiles={onFiles} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <ScanButton onFiles={onFiles} />
        {children}
      </div>
    </div>
  );
}

const TITLES: Partial<Record<Place, string>> = { elsewhere: 'Drop another file here', cosign: 'Drop the next signer’s file here' };

/** Takes the file that a signer gave back, or another one. */
export function BringSigned({ at, onFiles }: Pick<Bringing, 'onFiles'> & { at: Place }) {
  return (
    <>
      <DropZone title={TITLES[at] ?? 'Drop the signed file here'} hint="Read in this browser." quiet onFiles={onFiles} />
      <OtherWays onFiles={onFiles} />
    </>
  );
}

/** The file that is about to be sent, and the way to another one. */
export function BringAnother({ file, failed, onFiles }: Pick<Bringing, 'onFiles'> & { file: File; /** The server has refused it. */ failed: boolean }) {
  return (
    <p className="flex flex-wrap gap-x-2 text-sm text-muted">
      <span className="[overflow-wrap:anywhere]">
        {file.name} ({formatFileSize(file.size)})
      </span>
      <DropZone title={failed ? 'Click or drag a new file to try again.' : 'Use another file'} hint="" plain onFiles={onFiles} />
    </p>
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

/** Reading codes takes more script than everything else here: it is loaded when it is asked for. */
const ScanDialog = later(() => import('./scan-dialog'));

/** Brings a file by its QR codes: what is read goes the way of a dropped file. */
export function ScanButton({ onFiles }: Pick<Bringing, 'onFiles'>) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={ScanQrCode} look="secondary" onClick={() => setOpen(true)}>
        Scan QR codes
      </Button>
      {open && (
        <ScanDialog
          onClose={() => setOpen(false)}
          onFile={(file) => {
            setOpen(false);
            onFiles([file]);
          }}
        />
      )}
    </>
  );
}

/** Why the previous file is not part of this one. */
export function ApartNotice({ apart }: { apart: ReadyFile['apart'] | undefined }) {
  if (!apart) return null;
  return <Notice tone="warning" role="alert" title="These are not parts of one file" text={apart} />;
}
