import { useEffect, useRef, useState, type RefObject } from 'react';
import { useLocation, useSearch } from 'wouter';
import { hasPrivateKey, NEVER_PASTE, wordsOf } from '../../lib/secret';
import { useErasable } from '../../ui/use-erasable';
import { HOLDER_TIERS, type HolderTier } from '../../lib/holder-tier';

/** The leaderboard's state in the address bar: `?q=`, `?verified=1`, `?tier=`, `?u=`. */
interface BoardSearch {
  q: string;
  verified: boolean;
  tier: HolderTier | null;
  /** The name whose row a shared link leads to. */
  u: string;
}

/** The longest search that is sent. */
export const MAX_SEARCH = 64;

export function readBoardSearch(search: string): BoardSearch {
  const params = new URLSearchParams(search);
  const tier = params.get('tier') ?? '';
  return {
    q: (params.get('q') ?? '').slice(0, MAX_SEARCH),
    verified: params.get('verified') === '1',
    tier: HOLDER_TIERS.find((name) => name.toLowerCase() === tier) ?? null,
    u: params.get('u') ?? '',
  };
}

/** The address of the leaderboard in this state; defaults stay out of it. */
export function boardAddress({ q, verified, tier, u }: BoardSearch): string {
  const params = new URLSearchParams();
  if (q !== '') params.set('q', q);
  if (verified) params.set('verified', '1');
  if (tier !== null) params.set('tier', tier.toLowerCase());
  if (u !== '') params.set('u', u);
  const search = params.toString();
  return search === '' ? '/leaderboard' : `/leaderboard?${search}`;
}

const TYPING_PAUSE_MS = 200;

/** Names have no spaces, so several words find nothing and can begin a seed phrase: they are never sent. */
const isName = (text: string) => wordsOf(text).length === 1 && !hasPrivateKey(text);

/** The search as typed, and as settled in the address bar. */
export function useBoardSearch(box: RefObject<HTMLInputElement | null>) {
  const settled = readBoardSearch(useSearch());
  const [, navigate] = useLocation();
  // A draft is valid until the address changes: back, forward and links replace it.
  const [draft, setDraft] = useState<{ text: string; from: string } | null>(null);
  const typed = draft?.from === settled.q ? draft.text : settled.q;
  const timer = useRef<number | undefined>(undefined);
  /** Whether the search being typed has its history entry. */
  const entered = useRef(false);

  const change = (next: Partial<BoardSearch>, replace = false) => {
    const address = boardAddress({ ...settled, ...next });
    if (address !== boardAddress(settled)) navigate(address, { replace });
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const settle = (text: string) => {
    if (!isName(text)) return;
    change({ q: text.trim() }, entered.current);
    entered.current = true;
  };
  const { key, erase } = useErasable(box);
  const [refused, setRefused] = useState(false);
  const type = (text: string) => {
    window.clearTimeout(timer.current);
    setRefused(isSecret(text));
    if (isSecret(text)) {
      setDraft({ text: '', from: settled.q });
      erase();
      return;
    }
    setDraft({ text, from: settled.q });
    timer.current = window.setTimeout(() => settle(text), TYPING_PAUSE_MS);
  };
  return {
    ...settled,
    typed,
    type,
    /** What is wrong with the typed text. */
    problem: refused ? NEVER_PASTE : typed === '' || isName(typed) ? null : 'Names have no spaces.',
    /** The field becomes another one when its text is erased. */
    key,
    enter: () => settle(typed),
    /** The next text is another search. */
    endTyping: () => (entered.current = false),
    clear: () => change({ q: '', verified: false, tier: null }),
    setVerified: (verified: boolean) => change({ verified, q: isName(typed) ? typed.trim() : '' }),
    setTier: (tier: BoardSearch['tier']) => change({ tier, q: isName(typed) ? typed.trim() : '' }),
  };
}

/** A seed phrase that was pasted: the field holds no more than its first words. */
const PHRASE_START = 7;

const isSecret = (text: string) => wordsOf(text).length >= PHRASE_START || hasPrivateKey(text);
