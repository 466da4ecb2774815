import { useEffect, useState, type ReactNode, type Ref } from 'react';
import { TriangleAlert, Upload } from 'lucide-react';
import { cx } from '../lib/cx';
import { formatFileSize } from '../lib/format';
import { listen } from '../lib/listen';
import { filesIn, PSBT_ENDINGS } from '../lib/psbt-text';
import { buttonClass } from './button';
import { Spinner } from './spinner';

/** What a zone takes. */
export interface Taken {
  /** The name of its field. */
  label: string;
  /** The endings of files. */
  accept: string;
  /** Whether a dropped text counts as a file. */
  texts: boolean;
}

const PSBTS: Taken = { label: 'PSBT file', accept: PSBT_ENDINGS.join(','), texts: true };

interface DropZoneProps {
  takes?: Taken;
  state?: 'idle' | 'reading' | 'error';
  file?: File | null;
  /** The title: which file to drop here. */
  title: string;
  hint: ReactNode;
  /** Nothing but a line, where a file is there already. */
  plain?: boolean;
  /** Something else is to be pressed first. */
  quiet?: boolean;
  /** The file input, which opens the browser's file picker. */
  field?: Ref<HTMLInputElement>;
  onFiles: (files: File[]) => void;
}

/** Takes files by click, keyboard or drop, wherever on the page they are dropped: inside is an ordinary file input. */
export function DropZone({ takes = PSBTS, state = 'idle', file = null, title, hint, plain, quiet = false, field, onFiles }: DropZoneProps) {
  const over = useDrop(takes, onFiles);
  return (
    <label
      className={cx(
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink',
        plain
          ? 'inline-flex rounded text-sm font-medium text-accent-ink underline underline-offset-3'
          : 'flex items-center gap-3 rounded-card border border-dashed bg-surface p-4 transition-colors sm:gap-4 sm:px-6',
        !plain && (over ? 'border-accent-ink bg-accent-soft' : state === 'error' ? 'border-danger bg-danger-soft' : 'border-line-strong hover:border-accent-ink'),
      )}
    >
      <input
        ref={field}
        type="file"
        multiple
        accept={takes.accept}
        aria-label={takes.label}
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

type ZoneContentProps = Required<Pick<DropZoneProps, 'state' | 'file' | 'title' | 'hint' | 'quiet'>>;

function ZoneContent({ state, file, title, hint, quiet }: ZoneContentProps) {
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

/** Takes what is dropped on the page, which the browser would open otherwise; whether something is over it. */
function useDrop({ texts }: Taken, onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const enter = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const dropped = texts ? filesIn(event.dataTransfer, 'dropped') : [...(event.dataTransfer?.files ?? [])];
      if (dropped.length > 0) onFiles(dropped);
    };
    return listen(window, { dragover: enter, dragleave: leave, drop });
  }, [texts, onFiles]);
  return over;
}
