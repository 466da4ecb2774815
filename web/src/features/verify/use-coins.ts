import { useEffect, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { hostOf, SourceError } from '../../api/elsewhere';
import { blockHashAt, relativeLock, type CoinHeights, type CoinState, type SpentCoin } from '../../api/esplora';
import { judgeDate, readInstant, type DateBounds, type DateVerdict, type PsbtReport } from '../../psbt';
import { readHeader } from '../../lib/block-header';
import { chainFor } from '../../lib/chains';
import { askAbout, boundsOf, keyOf, stillBounds } from './coins';
import { differsFrom, type Answer } from './disagreement';
import type { Asked, AtDate } from './judge';
import { coinsOf, type Evidence } from './proof';

/** A coin that is still there, though it may be about to move. */
const UNSPENT = new Set<CoinState>(['unspent', 'locked', 'leaving']);

/** How often what a source says is shown while it is asked, in milliseconds. */
const SHOWN_EVERY_MS = 100;

/** How often everything is asked again because the blocks of the date have changed meanwhile. */
const TRIES = 3;

/** What a source said about the coins, and when. */
export interface CoinCheck {
  at: Date;
  host: string;
  height: number;
  unspent: number;
  of: number;
  /** Whether its chain has the block that dates the proof; of several, the blocks of all. */
  dated: boolean;
}

/** A proof, and what is known of its transaction. */
export interface CoinFile {
  proof: Evidence;
  report: PsbtReport | null;
}

export interface Question {
  source: string;
  /** An instant with its time zone; null for today. */
  date: string | null;
}

export interface Asking {
  /** What is known of the first proof, or of the one with this place. */
  asked: Asked | null;
  askedFor: (at: number) => Asked | null;
  busy: boolean;
  /** What blocks the source, and what to do. */
  trouble: Error | null;
  /** Every time that a source was asked about all coins, the latest last. */
  checks: CoinCheck[];
  /** Asks it about the coins that it has not answered about; once it has answered about all, about all again. */
  ask: (question: Question) => void;
}

interface Shown extends Question {
  /** For each proof. */
  asked: Asked[];
}

/** What a source has said so far. */
interface Found {
  states: Map<string, CoinState>;
  heights: Map<string, CoinHeights>;
  bounds: DateBounds | null;
  clear: () => void;
}

function nothing(): Found {
  const [states, heights] = [new Map<string, CoinState>(), new Map<string, CoinHeights>()];
  const clear = () => {
    states.clear();
    heights.clear();
  };
  return { states, heights, bounds: null, clear };
}

const areSame = (one: DateBounds, other: DateBounds) => one.lower?.hash === other.lower?.hash && one.upper?.hash === other.upper?.hash;

/** Asks the source that the visitor has chosen about the coins of proofs of one network. Another source, date or proof starts over. */
export function useCoins(files: CoinFile[]): Asking {
  const [shown, setShown] = useState<Shown | null>(null);
  const [checks, setChecks] = useState<CoinCheck[]>([]);
  const stop = useRef<AbortController | null>(null);
  const found = useRef<Found>(nothing());
  const answers = useRef(new Map<string, Answer>());
  const proofs = files.map(({ proof }) => proof);
  const [about, setAbout] = useState(proofs);
  if (about.length !== proofs.length || about.some((proof, at) => proof !== proofs[at])) {
    setAbout(proofs);
    setShown(null);
    setChecks([]);
  }
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- other proofs end what was asked about these
  useEffect(() => () => stop.current?.abort(), [about]);

  const asking = useMutation({
    mutationFn: async ({ source, date }: Question) => {
      const chain = proofs[0] && chainFor(proofs[0]);
      if (!chain) return;
      stop.current?.abort();
      const { signal } = (stop.current = new AbortController());
      const goesOn = shown?.source === source && shown.date === date && shown.asked[0]?.height === null;
      if (!goesOn) found.current = nothing();
      const own = found.current;
      const host = hostOf(source);
      let last = 0;
      const show = (height: number | null, more: Partial<Asked>[] = []) => {
        last = Date.now();
        if (!signal.aborted) setShown({ source, date, asked: files.map((_, at) => ({ host, states: new Map(own.states), height, ...more[at] })) });
      };
      const onState = () => Date.now() - last > SHOWN_EVERY_MS && show(null);
      show(null);
      try {
        const { height, seconds } = await lookUp({ files, source, date, genesis: chain.genesis, found: own, signal, onState });
        const { states, heights, bounds } = own;
        const dating = await datingOf(source, proofs, signal);
        const isDated = dating.map((hash, at) => hash !== null && hash === readHeader(proofs[at]?.statement.block.header ?? '')?.hash);
        const answer = { host, height, states: new Map(states), heights: new Map(heights), date, bounds };
        const disagrees = differsFrom(answer, [...answers.current.values()]);
        answers.current.set(source, answer);
        const atDate = async (proof: Evidence, at: number): Promise<AtDate | null> =>
          date === null || seconds === null || bounds === null ? null : { text: date, seconds, bounds, verdict: await verdictAt(proof, { bounds, isDated: isDated[at] ?? false, tip: height, heights }) };
        const dates = await Promise.all(proofs.map(atDate));
        show(height, proofs.map((_, at) => ({ dating: dating[at] ?? null, disagrees, at: dates[at] ?? null })));
        const unspent = [...states.values()].filter((state) => UNSPENT.has(state)).length;
        if (!signal.aborted) setChecks((before) => [...before, { at: new Date(), host, height, unspent, of: states.size, dated: isDated.every(Boolean) }]);
      } catch (error) {
        show(null);
        throw error;
      }
    },
  });
  const askedFor = (at: number) => shown?.asked[at] ?? null;
  return { asked: askedFor(0), askedFor, busy: asking.isPending, trouble: asking.error, checks, ask: asking.mutate };
}

interface LookUp extends Question {
  files: CoinFile[];
  /** The first block of the chain. */
  genesis: string;
  found: Found;
  signal: AbortSignal;
  onState: () => void;
}

/** Asks a source about all coins, and before that about the blocks of the date; its newest height, and the instant in Unix seconds. */
async function lookUp({ files, source, date, genesis, found, signal, onState }: LookUp): Promise<{ height: number; seconds: number | null }> {
  const seconds = date === null ? null : await readInstant(date);
  const { states, heights } = found;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    if (seconds !== null) {
      const bounds = await boundsOf(source, genesis, seconds, signal);
      // What the source said in another chain does not count in this one.
      if (found.bounds && !areSame(found.bounds, bounds)) found.clear();
      found.bounds = bounds;
    }
    const height = await askAbout({ source, coins: uniqueCoins(files), genesis, states, heights, signal, onState });
    if (!found.bounds || (await stillBounds(source, found.bounds, signal))) return { height, seconds };
  }
  throw new SourceError('unreadable', `The newest blocks of ${hostOf(source)} change all the time. Check again later.`);
}

/** The hashes of the blocks that date proofs. Block 0 dates nothing. */
async function datingOf(source: string, proofs: Evidence[], signal: AbortSignal): Promise<(string | null)[]> {
  const heights = proofs.map(({ statement }) => statement.block.height);
  const asked = [...new Set(heights)].filter((height) => height > 0);
  const hashes = new Map(await Promise.all(asked.map(async (height) => [height, await blockHashAt(source, height, signal)] as const)));
  return heights.map((height) => hashes.get(height) ?? null);
}

interface KnownAt {
  bounds: DateBounds;
  isDated: boolean;
  tip: number;
  heights: ReadonlyMap<string, CoinHeights>;
}

/** Which coins of a proof stood at the date. */
function verdictAt(proof: Evidence, { bounds, isDated, tip, heights }: KnownAt): Promise<DateVerdict> {
  // A coin that the source does not know as it is stated makes the proof false before its date counts.
  const unknown: CoinHeights = { funded: null, spent: 'unknown' };
  const coins = coinsOf(proof).map((coin) => {
    const { funded, spent } = heights.get(keyOf(coin)) ?? unknown;
    return { valueSats: BigInt(coin.value_sats), funded, spent };
  });
  return judgeDate({ bounds, signedAfter: isDated ? proof.statement.block.height : null, tip, coins });
}

/** The coins of all proofs, each once for each value and script that is stated of it. */
function uniqueCoins(files: CoinFile[]): SpentCoin[] {
  const all = files.flatMap(({ proof, report }) => spentCoins(proof, report));
  return [...new Map(all.map((coin) => [keyOf(coin), coin])).values()];
}

/** The coins of a proof, each with the relative lock of its input. */
export function spentCoins(proof: Evidence, report: PsbtReport | null): SpentCoin[] {
  const coins = coinsOf(proof);
  const inputs = report?.inputs.slice(-coins.length) ?? [];
  const lockAt = (at: number) => relativeLock(inputs[at]?.sequence ?? 0, report?.transactionVersion ?? 0);
  return coins.map(({ txid, vout, value_sats, script_pubkey }, at) => ({ txid, vout, value_sats, script_pubkey, lock: lockAt(at) }));
}
