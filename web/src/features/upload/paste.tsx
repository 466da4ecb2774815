import { useEffect, useId, useRef, useState } from 'react';
import { ClipboardPaste } from 'lucide-react';
import { listen } from '../../lib/listen';
import { fileOfText, filesIn } from '../../lib/psbt-text';
import { Button } from '../../ui/button';

/** No file is shorter as text; what is shorter is still being typed. */
const SHORTEST = 20;

/** Pastes a file or a text: by the button, or anywhere on the page by the keyboard. */
export function PasteButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const [byHand, setByHand] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const { target } = event;
      if (target instanceof HTMLElement && target !== field.current && target.matches('input:not([type=file]), textarea, select')) return;
      const files = filesIn(event.clipboardData, 'pasted');
      if (files.length === 0) return;
      event.preventDefault();
      setByHand(false);
      onFiles(files);
    };
    return listen(document, { paste: onPaste });
  }, [onFiles]);
  useEffect(() => {
    if (byHand) field.current?.focus();
  }, [byHand]);

  const paste = async () => {
    // A browser that does not let pages read the clipboard has people paste into a field themselves.
    const text = await Promise.resolve()
      .then(() => navigator.clipboard.readText())
      .catch(() => '');
    if (text.trim() === '') setByHand(true);
    else onFiles([fileOfText(text, 'pasted')]);
  };
  return (
    <div className="space-y-2">
      <Button icon={ClipboardPaste} look="secondary" onClick={() => void paste()}>
        Paste as Text
      </Button>
      {byHand && (
        <div>
          <label htmlFor={id} className="text-sm font-medium">
            Paste the text of the file here
          </label>
          <textarea
            id={id}
            ref={field}
            rows={3}
            spellCheck={false}
            className="mt-1 block w-full rounded-lg border border-line-strong bg-surface p-3 font-mono text-sm"
            onChange={({ target }) => target.value.trim().length >= SHORTEST && onFiles([fileOfText(target.value, 'pasted')])}
          />
        </div>
      )}
    </div>
  );
}
