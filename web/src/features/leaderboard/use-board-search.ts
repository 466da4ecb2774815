import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { boardAddress, readBoardSearch, type BoardSearch } from './search';

const TYPING_PAUSE_MS = 200;

/** The search as typed, and as settled in the address bar. */
export function useBoardSearch() {
  const settled = readBoardSearch(useSearch());
  const [, navigate] = useLocation();
  // A draft counts as long as the address stands where typing began: back, forward and links win over it.
  const [draft, setDraft] = useState<{ text: string; from: string } | null>(null);
  const typed = draft?.from === settled.q ? draft.text : settled.q;
  const timer = useRef<number | undefined>(undefined);

  const change = (next: Partial<BoardSearch>) => navigate(boardAddress({ ...settled, ...next }), { replace: true });
  useEffect(() => () => window.clearTimeout(timer.current), []);

  return {
    ...settled,
    typed,
    type: (text: string) => {
      setDraft({ text, from: settled.q });
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => change({ q: text.trim() }), TYPING_PAUSE_MS);
    },
    setVerified: (verified: boolean) => change({ verified, q: typed.trim() }),
  };
}
