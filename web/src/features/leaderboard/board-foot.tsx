import { useEffect, useState } from 'react';
import { formatCount } from '../../lib/format';
import { listen } from '../../lib/listen';
import { storedText } from '../../lib/storage';
import { Button } from '../../ui/button';
import { later } from '../../ui/later';
import { BUSY } from './use-row-keys';
import { MOST_ROWS } from './use-window';

const ShortcutsDialog = later(() => import('./shortcuts-dialog'));

interface BoardFootProps {
  shown: number | undefined;
  total: number | undefined;
  /** How many rows are folded away. */
  folded: number;
  onUnfold: () => void;
  letters: boolean;
  onLetters: (on: boolean) => void;
}

/** Below the rows: those who never verified, the number of rows, and the way to the keyboard shortcuts. */
export function BoardFoot({ shown, total, folded, onUnfold, letters, onLetters }: BoardFootProps) {
  const [help, setHelp] = useState(false);
  useEffect(
    () =>
      listen(document, {
        keydown: ({ key, target }: KeyboardEvent) => {
          if (key === '?' && !(target as Element).closest(BUSY)) setHelp(true);
        },
      }),
    [],
  );
  return (
    <>
      {folded > 0 && (
        <p className="flex h-12 items-center border-t border-line px-4 text-sm text-muted lg:px-3">
          <button type="button" className="rounded py-2 underline underline-offset-3 hover:text-ink" onClick={onUnfold}>
            {formatCount(folded)} more {folded === 1 ? 'has' : 'have'} not verified
          </button>
        </p>
      )}
      <div className="mt-3 flex min-h-10 flex-wrap items-center justify-between gap-x-6 gap-y-1 text-sm text-muted">
        <div>
          <p role="status" className="num">
            {shown !== undefined && total !== undefined && `Showing ${formatCount(shown)} of ${formatCount(total)} users`}
          </p>
          {(shown ?? 0) > MOST_ROWS && <p>Only the first {formatCount(MOST_ROWS)} are listed. Search to find the others.</p>}
        </div>
        {/* Only where a keyboard is likely. */}
        <Button look="ghost" size="icon" className="ml-auto max-md:hidden pointer-coarse:hidden" aria-label="Keyboard shortcuts" title="Keyboard shortcuts" aria-haspopup="dialog" onClick={() => setHelp(true)}>
          ?
        </Button>
      </div>
      {help && <ShortcutsDialog letters={letters} onLetters={onLetters} onClose={() => setHelp(false)} />}
    </>
  );
}

const letterKeys = storedText('localStorage', 'letter-keys');

/** Whether single letters are shortcuts; remembered on this device. */
export function useLetterKeys(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => letterKeys.get() !== 'off');
  const change = (next: boolean) => {
    setOn(next);
    letterKeys.set(next ? 'on' : 'off');
  };
  return [on, change];
}
