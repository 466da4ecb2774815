import { useEffect, useState, type DragEvent, type ReactNode } from 'react';
import { CircleCheck, CloudUpload, TriangleAlert } from 'lucide-react';
import { cx } from '../../lib/cx';
import { formatFileSize } from '../../lib/format';
import { Spinner } from '../../ui/spinner';
import { filesIn } from './paste';
import { ACCEPT } from './proof-file';

export type ZoneState = 'idle' | 'reading' | 'verifying' | 'success' | 'error';

const LOOKS: Record<ZoneState, string> = {
  idle: 'border-line-strong hover:border-accent-ink hover:bg-accent-soft/50',
  reading: 'border-accent-ink',
  verifying: 'border-accent-ink',
  success: 'border-positive bg-positive-soft',
  error: 'border-danger bg-danger-soft',
};

interface DropZoneProps {
  state: ZoneState;
  file: File | null;
  /** What may be brought next. */
  hint: string;
  onFiles: (files: File[]) => void;
}

/** Takes a file by drop, click or keyboard: inside is an ordinary file input. */
export function DropZone({ state, file, hint, onFiles }: DropZoneProps) {
  const [over, setOver] = useState(false);
  const busy = state === 'verifying';
  usePageDropGuard();

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = filesIn(event.dataTransfer, 'dropped');
    if (dropped.length > 0 && !busy) onFiles(dropped);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping has its keyboard twin inside
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        'flex min-h-48 flex-col items-center justify-center gap-2 rounded-card border-2 border-dashed p-6 text-center transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink',
        over ? 'border-accent-ink bg-accent-soft' : LOOKS[state],
        busy && 'pointer-events-none',
      )}
    >
      <input
        type="file"
        multiple
        accept={ACCEPT}
        disabled={busy}
        aria-label="PSBT file"
        className="sr-only"
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])];
          event.target.value = ''; // so that the same file can be chosen again
          if (chosen.length > 0) onFiles(chosen);
        }}
      />
      <ZoneContent state={state} file={file} hint={hint} />
    </label>
  );
}

function ZoneContent({ state, file, hint }: Omit<DropZoneProps, 'onFiles'>) {
  return (
    <>
      {icons[state]}
      {state === 'verifying' && <p className="font-semibold">Verifying...</p>}
      {state === 'reading' && <p className="font-semibold">Reading the file in your browser...</p>}
      {state === 'success' && <p className="font-semibold text-positive">PSBT successfully verified!</p>}
      {file ? (
        <p className="text-sm [overflow-wrap:anywhere]">
          <span className="font-semibold">{file.name}</span>{' '}
          <span className="num text-muted">({formatFileSize(file.size)})</span>
        </p>
      ) : (
        <p className="font-semibold">Click or drag a PSBT file here</p>
      )}
      {state === 'idle' && (
        <p className="text-sm text-muted">{hint}</p>
      )}
      {state === 'error' && <p className="text-sm text-muted">Click or drag a new file to try again.</p>}
    </>
  );
}

const icons: Record<ZoneState, ReactNode> = {
  idle: <CloudUpload className="size-9 text-accent-ink" aria-hidden="true" />,
  reading: <Spinner className="size-9" />,
  verifying: <Spinner className="size-9" />,
  success: <CircleCheck className="size-9 text-positive" aria-hidden="true" />,
  error: <TriangleAlert className="size-9 text-danger" aria-hidden="true" />,
};

/** A file dropped beside the zone must not make the browser leave the page to show it. */
function usePageDropGuard(): void {
  useEffect(() => {
    const prevent = (event: Event) => event.preventDefault();
    window.addEventListener('dragover', prevent);
    window.addEventListener('drop', prevent);
    return () => {
      window.removeEventListener('dragover', prevent);
      window.removeEventListener('drop', prevent);
    };
  }, []);
}
