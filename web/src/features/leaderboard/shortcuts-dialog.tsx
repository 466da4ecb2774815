import { Dialog } from '../../ui/dialog';

interface ShortcutsDialogProps {
  letters: boolean;
  onLetters: (on: boolean) => void;
  onClose: () => void;
}

const KEYS: [string[], string][] = [
  [['/'], 'Search'],
  [['j', 'k'], 'Next and previous row'],
  [['Enter'], 'Open the row'],
  [['?'], 'This list'],
];

/** The keyboard shortcuts, and whether single letters are some. Dictation software types letters. */
export default function ShortcutsDialog({ letters, onLetters, onClose }: ShortcutsDialogProps) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="mt-3 space-y-2 text-sm">
        {KEYS.map(([keys, text]) => (
          <div key={text} className="flex justify-between gap-4">
            <dt>{text}</dt>
            <dd className="space-x-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded border border-line bg-raised px-1.5 py-0.5 font-mono text-xs">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className="mt-4 flex items-center gap-2 text-sm">
        <input type="checkbox" checked={letters} onChange={(event) => onLetters(event.target.checked)} className="size-4 accent-accent" />
        Single letters are shortcuts
      </label>
    </Dialog>
  );
}
