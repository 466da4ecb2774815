import { useId } from 'react';
import { cx } from '../../lib/cx';

interface FieldProps {
  label: string;
  value: string;
  onText: (text: string) => void;
  rows: number;
  hint?: string;
  /** What is wrong with it. */
  fault?: string | null;
  mono?: boolean;
}

/** A field for text. One row is a single line. */
export function Field({ label, value, onText, rows, hint, fault = null, mono = false }: FieldProps) {
  const id = useId();
  const props = {
    id,
    value,
    spellCheck: false,
    autoComplete: 'off',
    'aria-invalid': fault !== null,
    'aria-describedby': `${id}-hint`,
    className: cx('mt-1 block w-full rounded-lg border bg-surface p-3', mono && 'font-mono text-sm', fault === null ? 'border-line-strong' : 'border-danger'),
  };
  return (
    <div>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {rows === 1 ? (
        <input {...props} onChange={({ target }) => onText(target.value)} />
      ) : (
        <textarea {...props} rows={rows} onChange={({ target }) => onText(target.value)} />
      )}
      <p id={`${id}-hint`} role={fault === null ? undefined : 'alert'} className={cx('mt-1 text-sm', fault === null ? 'text-muted' : 'text-danger')}>
        {fault ?? hint}
      </p>
    </div>
  );
}
