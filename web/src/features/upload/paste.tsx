import { useEffect, useId, useState } from 'react';
import { listen } from '../../lib/listen';
import { fileOfText, filesIn } from '../../lib/psbt-text';
import { useErasable } from '../../ui/use-erasable';

/** No file is shorter as text; what is shorter is still being typed. */
const SHORTEST = 20;

/** Takes a file or a text that is pasted: into its field, or anywhere on the page. The field keeps nothing, because a text may be a secret. */
export function PasteField({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { key, field, erase } = useErasable<HTMLInputElement>();
  const [typed, setTyped] = useState('');
  const id = useId();
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const { target } = event;
      if (target instanceof HTMLElement && target !== field.current && target.matches('input:not([type=file]), textarea, select')) return;
      const files = filesIn(event.clipboardData, 'pasted');
      if (files.length === 0) return;
      event.preventDefault();
      setTyped('');
      onFiles(files);
    };
    return listen(document, { paste: onPaste });
  }, [onFiles, field]);
  const type = (text: string) => {
    const whole = text.trim().length >= SHORTEST;
    setTyped(whole ? '' : text);
    if (!whole) return;
    erase();
    onFiles([fileOfText(text, 'pasted')]);
  };
  return (
    <div>
      <label htmlFor={id} className="sr-only">
        Paste the file as text
      </label>
      <input
        key={key}
        id={id}
        ref={field}
        value={typed}
        placeholder="Or paste it as text"
        spellCheck={false}
        autoComplete="off"
        className="block h-11 w-full rounded-lg border border-line-strong bg-surface px-4 font-mono text-sm placeholder:font-sans placeholder:text-muted"
        onChange={({ target }) => type(target.value)}
      />
    </div>
  );
}
