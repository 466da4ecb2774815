import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { looksSecret, wordsOf } from '../../lib/secret-shape';
import { boardAddress, readBoardSearch, type BoardSearch } from './search';

const TYPING_PAUSE_MS = 200;
const SEVERAL_WORDS = 3;

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
  const settle = (text: string) => {
    // Nothing of a seed phrase or a key leaves the field.
    if (looksSecret(text)) return;
    change({ q: text.trim() }, entered.current);
    entered.current = true;
  };
  const type = (text: string) => {
    setDraft({ text, from: settled.q });
    window.clearTimeout(timer.current);
    // What has several words may become a seed phrase: it waits for Enter.
    if (wordsOf(text).length < SEVERAL_WORDS) timer.current = window.setTimeout(() => settle(text), TYPING_PAUSE_MS);
  };
  return {
    ...settled,
    typed,
    type,
    /** Whether what is typed must never be. */
    secret: looksSecret(typed),
    enter: () => settle(typed),
    /** What is typed next is another search. */
    typedAll: () => (entered.current = false),
    clear: () => change({ q: '', verified: false, tier: null }),
    setVerified: (verified: boolean) => change({ verified, q: looksSecret(typed) ? '' : typed.trim() }),
    setTier: (tier: BoardSearch['tier']) => change({ tier, q: looksSecret(typed) ? '' : typed.trim() }),
  };
}
