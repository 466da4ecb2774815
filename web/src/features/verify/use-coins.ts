import { useEffect, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { hostOf } from '../../api/elsewhere';
import { blockHashAt, relativeLock, type CoinState, type SpentCoin } from '../../api/esplora';
import type { PsbtReport } from '../../psbt';
import { readHeader } from '../../lib/block-header';
import { chainFor } from '../../lib/chains';
import { askAbout } from './coins';
import type { Asked } from './judge';
import { coinsOf, type Evidence } from './proof';

/** A coin that is still there, though it may be about to move. */
const UNSPENT = new Set<CoinState>(['unspent', 'locked', 'leaving']);

/** How often what a source says is shown while it is asked, in milliseconds. */
const SHOWN_EVERY_MS = 100;

/** What a source said about the coins, and when. */
export interface CoinCheck {
  at: Date;
  host: string;
  height: number;
  unspent: number;
  of: number;
  /** Whether its chain has the block that dates the proof. */
  dated: boolean;
}

export interface Asking {
  asked: Asked | null;
  busy: boolean;
  /** What blocks the source, and what to do. */
  trouble: Error | null;
  /** Every time that a source was asked about all coins, the latest last. */
  checks: CoinCheck[];
  /** Asks it about the coins that it has not answered about; once it has answered about all, about all again. */
  ask: (source: string) => void;
}

/** Asks the source that the visitor has chosen about the coins of a proof, which stays the same. Choosing another source starts over. */
export function useCoins(proof: Evidence, report: PsbtReport | null): Asking {
  const [shown, setShown] = useState<{ source: string; asked: Asked } | null>(null);
  const [checks, setChecks] = useState<CoinCheck[]>([]);
  const stop = useRef<AbortController | null>(null);
  const states = useRef(new Map<string, CoinState>());
  useEffect(() => () => stop.current?.abort(), []);

  const asking = useMutation({
    mutationFn: async (source: string) => {
      const chain = chainFor(proof);
      if (!chain) return;
      stop.current?.abort();
      const { signal } = (stop.current = new AbortController());
      if (shown?.source !== source || shown.asked.height !== null) states.current = new Map();
      const own = states.current;
      let last = 0;
      const show = (height: number | null, dating: string | null = null) => {
        last = Date.now();
        if (!signal.aborted) setShown({ source, asked: { host: hostOf(source), states: new Map(own), height, dating } });
      };
      show(null);
      const onState = () => Date.now() - last > SHOWN_EVERY_MS && show(null);
      try {
        const height = await askAbout({ source, coins: spentCoins(proof, report), genesis: chain.genesis, states: own, signal, onState });
        const { block } = proof.statement;
        const dating = block.height > 0 ? await blockHashAt(source, block.height, signal) : null;
        show(height, dating);
        const unspent = [...own.values()].filter((state) => UNSPENT.has(state)).length;
        const dated = dating !== null && dating === readHeader(block.header)?.hash;
        if (!signal.aborted) setChecks((before) => [...before, { at: new Date(), host: hostOf(source), height, unspent, of: own.size, dated }]);
      } catch (error) {
        show(null);
        throw error;
      }
    },
  });
  return { asked: shown?.asked ?? null, busy: asking.isPending, trouble: asking.error, checks, ask: asking.mutate };
}

/** The coins of a proof, each with the relative lock of its input. */
export function spentCoins(proof: Evidence, report: PsbtReport | null): SpentCoin[] {
  const coins = coinsOf(proof);
  const inputs = report?.inputs.slice(-coins.length) ?? [];
  const lockAt = (at: number) => relativeLock(inputs[at]?.sequence ?? 0, report?.transactionVersion ?? 0);
  return coins.map(({ txid, vout, value_sats, script_pubkey }, at) => ({ txid, vout, value_sats, script_pubkey, lock: lockAt(at) }));
}
