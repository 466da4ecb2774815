/** Asks a chain source about every coin of a proof, some at a time. */
import { SourceError } from '../../api/elsewhere';
import {
  chainOf,
  fundingOf,
  medianTimeAt,
  spendOf,
  spendsOf,
  stateIn,
  troubleWith,
  type CoinState,
  type RelativeLock,
  type SpentCoin,
  type StatedCoin,
} from '../../api/esplora';

/** Requests under way at once: as many as browsers keep open to one server. */
const AT_ONCE = 6;
/** How often a coin is asked about again when the source wants fewer requests, and the longest wait for that, in seconds. */
const TRIES = 3;
const LONGEST_WAIT = 8;

export type States = ReadonlyMap<string, CoinState>;

export const keyOf = ({ txid, vout }: Pick<StatedCoin, 'txid' | 'vout'>) => `${txid}:${vout}`;

interface Asking {
  source: string;
  coins: SpentCoin[];
  /** The first block of the chain. */
  genesis: string;
  /** What the source has said before it was stopped; what it says now is added. */
  states: Map<string, CoinState>;
  signal: AbortSignal;
  onState: () => void;
}

/** The newest block of the source, once it has been asked about every coin. Throws SourceError when the source fails; results until then are reported. */
export async function askAbout({ source, coins, genesis, states, signal, onState }: Asking): Promise<number> {
  const chain = await patiently(() => chainOf(source, signal), signal);
  if (chain.genesis !== genesis) {
    throw new SourceError('unreadable', 'This block explorer is on another network than the proof. Choose another one.');
  }
  const waiting = byTransaction(coins.filter((coin) => !states.has(keyOf(coin))));
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const ask = <T>(question: () => Promise<T>) => patiently(question, either);
  /** Whether the source tells of all outputs of a transaction together, as far as is known. */
  let together = true;
  const isLocked = async (lock: RelativeLock, height: number) => {
    if ('blocks' in lock) return chain.height + 1 < height + lock.blocks;
    // BIP-0068: counted from the block before the coin's to the newest one.
    const [since, now] = [height - 1, chain.height].map((at) => ask(() => medianTimeAt(source, at, either)));
    return ((await since) ?? 0) + lock.seconds > ((await now) ?? 0);
  };
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [txid, own] = next;
      const funding = await ask(() => fundingOf(source, txid, either));
      const sound = own.filter((coin) => troubleWith(coin, funding) === null);
      const spends = funding && together && sound.length > 1 ? await ask(() => spendsOf(source, txid, funding, either)) : null;
      if (sound.length > 1) together = spends !== null;
      for (const coin of own) {
        let state = troubleWith(coin, funding) ?? stateIn(spends ? spends[coin.vout] : await ask(() => spendOf(source, coin, either)), source);
        if (state === 'unspent' && coin.lock && (await isLocked(coin.lock, funding?.height ?? 0))) state = 'locked';
        states.set(keyOf(coin), state);
        onState();
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } catch (error) {
    stop.abort();
    throw error;
  }
  return chain.height;
}

function byTransaction(coins: SpentCoin[]): [string, SpentCoin[]][] {
  const all = new Map<string, SpentCoin[]>();
  for (const coin of coins) all.set(coin.txid, [...(all.get(coin.txid) ?? []), coin]);
  return [...all];
}

/** Asks again after a while when the source wants that. */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const isLimit = error instanceof SourceError && error.trouble === 'rate-limit';
      if (!isLimit || attempt === TRIES || (error.retryAfter ?? 0) > LONGEST_WAIT) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? attempt) * 1000));
      signal.throwIfAborted();
    }
  }
}
