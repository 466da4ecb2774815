import { useEffect, useState, type DragEvent } from 'react';
import { TriangleAlert, Upload } from 'lucide-react';
import { cx } from '../../lib/cx';
import { formatFileSize } from '../../lib/format';
import { listen } from '../../lib/listen';
import { buttonClass } from '../../ui/button';
import { Spinner } from '../../ui/spinner';
import { filesIn } from './paste';
import { ACCEPT } from './proof-file';

interface DropZoneProps {
  state: 'idle' | 'reading' | 'error';
  file: File | null;
  /** What is to be brought. */
  title: string;
  hint: string;
  /** Nothing but a line, where a file is there already. */
  plain?: boolean;
  /** Something else is to be pressed first. */
  quiet?: boolean;
  onFiles: (files: File[]) => void;
}

/** Takes files by drop, click or keyboard: inside is an ordinary file input. */
export function DropZone({ state, file, title, hint, plain, quiet = false, onFiles }: DropZoneProps) {
  const [over, setOver] = useState(false);
  usePageDropGuard();

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = filesIn(event.dataTransfer, 'dropped');
    if (dropped.length > 0) onFiles(dropped);
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
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink',
        plain
          ? 'inline-flex rounded text-sm font-medium text-accent-ink underline underline-offset-3'
          : 'flex items-center gap-3 rounded-card border border-dashed bg-surface p-4 transition-colors sm:gap-4 sm:px-6',
        !plain && (over ? 'border-accent-ink bg-accent-soft' : state === 'error' ? 'border-danger bg-danger-soft' : 'border-line-strong hover:border-accent-ink'),
      )}
    >
      <input
        type="file"
        multiple
        accept={ACCEPT}
        aria-label="PSBT file"
        className="sr-only"
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])];
          event.target.value = ''; // so that the same file can be chosen again
          if (chosen.length > 0) onFiles(chosen);
        }}
      />
      {plain ? title : <ZoneContent state={state} file={file} title={title} hint={hint} quiet={quiet} />}
    </label>
  );
}

function ZoneContent({ state, file, title, hint, quiet }: Pick<DropZoneProps, 'state' | 'file' | 'title' | 'hint' | 'quiet'>) {
  const Icon = state === 'error' ? TriangleAlert : Upload;
  const reading = state === 'reading';
  return (
    <>
      <span className={cx('hidden size-11 shrink-0 place-items-center rounded-xl sm:grid', state === 'error' ? 'text-danger' : 'bg-accent-soft text-accent-ink')}>
        {reading ? <Spinner /> : <Icon className="size-5" aria-hidden="true" />}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-[0.9375rem] font-semibold [overflow-wrap:anywhere] sm:text-base">
          {reading ? 'Reading the file in your browser...' : (file?.name ?? title)}
          {file && !reading && <span className="num text-sm font-normal text-muted"> ({formatFileSize(file.size)})</span>}
        </span>
        <span className="block text-[0.8125rem] text-muted">{hint}</span>
      </span>
      <span aria-hidden="true" className={buttonClass(quiet ? 'secondary' : 'primary', 'field')}>
        <span className="sm:hidden">Choose</span>
        <span className="max-sm:hidden">Choose a file</span>
      </span>
    </>
  );
}

/** A file dropped outside the zone must not make the browser navigate to it. */
function usePageDropGuard(): void {
  useEffect(() => {
    const prevent = (event: Event) => event.preventDefault();
    return listen(window, { dragover: prevent, drop: prevent });
  }, []);
}
