import { useId, useRef, useState } from 'react';
import { cx } from '../lib/cx';
import { hasPrivateKey, mayBeSecret, NEVER_PASTE, UNCHECKED } from '../lib/secret';
import { recognizeText } from '../psbt';
import { useErasable } from './use-erasable';

interface TextFieldProps {
  label: string;
  value: string;
  onText: (text: string) => void;
  rows: number;
  hint?: string;
  /** What is wrong with the text. */
  fault?: string | null;
  mono?: boolean;
  inputMode?: 'url';
  placeholder?: string;
}

/**
 * A text field; one row is a single line. It passes a text on only if that contains no seed phrase and no private key: a text that could be one waits
 * for the package's word list, and a secret is removed from the field.
 */
export function TextField({ label, value, onText, rows, hint, fault = null, mono = false, ...rest }: TextFieldProps) {
  const id = useId();
  const [held, setHeld] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const latest = useRef('');
  const { key, field, erase } = useErasable<HTMLTextAreaElement & HTMLInputElement>();
  const type = (text: string) => {
    latest.current = text;
    setRefusal(null);
    if (!mayBeSecret(text)) {
      setHeld(null);
      onText(text);
      return;
    }
    setHeld(hasPrivateKey(text) ? '' : text);
    void refusalOf(text).then((reason) => {
      if (latest.current !== text) return;
      setHeld(null);
      setRefusal(reason);
      if (reason !== null) erase();
      onText(reason === null ? text : '');
    });
  };
  const problem = refusal ?? fault;
  const note = problem ?? hint;
  const props = {
    ...rest,
    id,
    value: held ?? value,
    spellCheck: false,
    autoComplete: 'off',
    'aria-invalid': problem !== null,
    'aria-describedby': note ? `${id}-note` : undefined,
    className: cx('mt-1 block w-full rounded-lg border bg-surface p-3', mono && 'font-mono text-sm', problem === null ? 'border-line-strong' : 'border-danger'),
  };
  return (
    <div>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {rows === 1 ? (
        <input key={key} ref={field} {...props} onChange={({ target }) => type(target.value)} />
      ) : (
        <textarea key={key} ref={field} {...props} rows={rows} onChange={({ target }) => type(target.value)} />
      )}
      {note && (
        <p id={`${id}-note`} role={problem === null ? undefined : 'alert'} className={cx('mt-1 text-sm', problem === null ? 'text-muted' : 'text-danger')}>
          {note}
        </p>
      )}
    </div>
  );
}

/** Why a text is removed; null when it is not a secret. Without the word list that is unknown. */
async function refusalOf(text: string): Promise<string | null> {
  if (hasPrivateKey(text)) return NEVER_PASTE;
  try {
    return (await recognizeText(text))?.secret ? NEVER_PASTE : null;
  } catch {
    return UNCHECKED;
  }
}
