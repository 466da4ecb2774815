import { useEffect, useState, type Ref } from 'react';
import { FileCheck2 } from 'lucide-react';
import { cx } from '../../lib/cx';
import { listen } from '../../lib/listen';

interface DropProps {
  /** The field that opens the browser's own choice. */
  field: Ref<HTMLInputElement>;
  /** What there is to drop. */
  label: string;
  hint: string;
  /** Stands below it from when it is true. */
  once: { is: boolean; say: string };
  onFile: (file: File) => void;
}

/** Takes a file by drop, click or keyboard; dropped anywhere on the page, it counts too. */
export function Drop({ field, label, hint, once, onFile }: DropProps) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const enter = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file) onFile(file);
    };
    return listen(window, { dragover: enter, dragleave: leave, drop });
  }, [onFile]);
  return (
    <label
      className={cx(
        'flex min-h-36 flex-col items-center justify-center gap-2 rounded-card border-2 border-dashed p-6 text-center transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink',
        over ? 'border-accent-ink bg-accent-soft' : 'border-line-strong hover:border-accent-ink hover:bg-accent-soft/50',
      )}
    >
      <input
        ref={field}
        type="file"
        accept=".json,.tlog-proof"
        className="sr-only"
        aria-label={label}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = ''; // so that the same file can be chosen again
          if (file) onFile(file);
        }}
      />
      <FileCheck2 className="size-8 text-accent-ink" aria-hidden="true" />
      <span className="font-semibold">{label}</span>
      <span className="text-sm text-balance text-muted">{hint}</span>
      {/* It has its place before, so that nothing moves. */}
      <span className={cx('text-sm text-muted', !once.is && 'invisible')}>{once.say}</span>
    </label>
  );
}
