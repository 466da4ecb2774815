import { useState } from 'react';
import { formatCount } from '../../lib/format';
import { storedText } from '../../lib/storage';
import { MOST_ROWS } from './use-window';

interface BoardFootProps {
  shown: number | undefined;
  total: number | undefined;
  letters: boolean;
  onLetters: (on: boolean) => void;
}

/** Below the rows: their number, and the keyboard shortcuts. */
export function BoardFoot({ shown, total, letters, onLetters }: BoardFootProps) {
  return (
    <div className="mt-3 flex min-h-10 flex-wrap items-center justify-between gap-x-6 gap-y-1 text-sm text-muted">
      <div>
        <p role="status" className="num">
          {shown !== undefined && total !== undefined && `Showing ${formatCount(shown)} of ${formatCount(total)} users`}
        </p>
        {(shown ?? 0) > MOST_ROWS && <p>Only the first {formatCount(MOST_ROWS)} are listed. Search to find the others.</p>}
      </div>
      {/* Only where a keyboard is likely. */}
      <label className="ml-auto hidden items-center gap-2 py-1 pointer-fine:md:flex">
        <input type="checkbox" checked={letters} onChange={(event) => onLetters(event.target.checked)} className="size-4 accent-accent" />
        <span>
          Shortcuts: <Key>/</Key> search, <Key>j</Key> and <Key>k</Key> next and previous row
        </span>
      </label>
    </div>
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

function Key({ children }: { children: string }) {
  return <kbd className="rounded border border-line bg-raised px-1.5 py-0.5 font-mono text-xs text-ink">{children}</kbd>;
}
