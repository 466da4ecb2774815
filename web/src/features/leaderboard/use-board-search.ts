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
  /** The search that is being typed has an entry of the history already. */
  const entered = useRef(false);

  const change = (next: Partial<BoardSearch>, replace = false) => {
    const address = boardAddress({ ...settled, ...next });
    if (address !== boardAddress(settled)) navigate(address, { replace });
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const type = (text: string) => {
    setDraft({ text, from: settled.q });
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      change({ q: text.trim() }, entered.current);
      entered.current = true;
    }, TYPING_PAUSE_MS);
  };
  return {
    ...settled,
    typed,
    type,
    /** What is typed next is another search. */
    typedAll: () => (entered.current = false),
    clear: () => change({ q: '', verified: false, tier: null }),
    setVerified: (verified: boolean) => change({ verified, q: typed.trim() }),
    setTier: (tier: BoardSearch['tier']) => change({ tier, q: typed.trim() }),
  };
}
