import { useState } from 'react';
import { storedText } from '../../lib/storage';

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

/** Lists the shortcuts, and turns them off. Only where a keyboard is likely. */
export function LetterKeys({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label className="ml-auto hidden items-center gap-2 py-1 pointer-fine:md:flex">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} className="size-4 accent-accent" />
      <span>
        Shortcuts: <Key>/</Key> search, <Key>j</Key> and <Key>k</Key> next and previous row
      </span>
    </label>
  );
}

function Key({ children }: { children: string }) {
  return <kbd className="rounded border border-line bg-raised px-1.5 py-0.5 font-mono text-xs text-ink">{children}</kbd>;
}
