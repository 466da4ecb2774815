/** Asks a chain source about every coin of a proof, some at a time. */
import { SourceError } from '../../api/elsewhere';
import {
  blockHashAt,
  blocksAt,
  chainOf,
  fundingOf,
  medianTimeAt,
  spendOf,
  spendsOf,
  spentIn,
  stateIn,
  troubleWith,
  type CoinHeights,
  type CoinState,
  type RelativeLock,
  type SpentCoin,
  type StatedCoin,
} from '../../api/esplora';
import { searchDate, type BlockTimes, type DateBounds } from '../../psbt';

/** Requests under way at once: as many as browsers keep open to one server. */
const AT_ONCE = 6;
/** How often a coin is asked about again when the source wants fewer requests, and the longest wait for that, in seconds. */
const TRIES = 3;
const LONGEST_WAIT = 8;

export type States = ReadonlyMap<string, CoinState>;
export type Heights = ReadonlyMap<string, CoinHeights>;

export const outpointOf = ({ txid, vout }: Pick<StatedCoin, 'txid' | 'vout'>) => `${txid}:${vout}`;

/** Of a coin as it is stated: two files may state different things of one coin. */
export const keyOf = (coin: StatedCoin) => `${outpointOf(coin)} ${coin.value_sats} ${coin.script_pubkey}`;

interface Asking {
  source: string;
  coins: SpentCoin[];
  /** The first block of the chain. */
  genesis: string;
  /** What the source has said before it was stopped; what it says now is added. */
  states: Map<string, CoinState>;
  /** Where it says in which blocks coins were funded and spent. */
  heights?: Map<string, CoinHeights>;
  signal: AbortSignal;
  onState: () => void;
}

/** The newest block of the source, once it has been asked about every coin. Throws SourceError when the source fails; results until then are reported. */
export async function askAbout({ source, coins, genesis, states, heights, signal, onState }: Asking): Promise<number> {
  const tip = await tipOf(source, genesis, signal);
  const waiting = byTransaction(coins.filter((coin) => !states.has(keyOf(coin))));
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const ask = <T>(question: () => Promise<T>) => patiently(question, either);
  /** Whether the source tells of all outputs of a transaction together, as far as is known. */
  let together = true;
  const isLocked = async (lock: RelativeLock, height: number) => {
    if ('blocks' in lock) return tip + 1 < height + lock.blocks;
    // BIP-0068: counted from the block before the coin's to the newest one.
    const [since, now] = [height - 1, tip].map((at) => ask(() => medianTimeAt(source, at, either)));
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
        const trouble = troubleWith(coin, funding);
        const spend = trouble ? null : spends ? spends[coin.vout] : await ask(() => spendOf(source, coin, either));
        let state = trouble ?? stateIn(spend, source);
        if (trouble === null || trouble === 'unconfirmed') heights?.set(keyOf(coin), { funded: funding?.height ?? null, spent: trouble ? null : spentIn(spend, source) });
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
  return tip;
}

/** The height of the newest block of a source, which must be on the chain that begins with this block. */
async function tipOf(source: string, genesis: string, signal: AbortSignal): Promise<number> {
  const chain = await patiently(() => chainOf(source, signal), signal);
  if (chain.genesis !== genesis) {
    throw new SourceError('unreadable', 'This block explorer is on another network than the proof. Choose another one.');
  }
  return chain.height;
}

/** The blocks that bound an instant in the chain of a source. Asks only for headers. */
export async function boundsOf(source: string, genesis: string, seconds: number, signal: AbortSignal): Promise<DateBounds> {
  const tip = await tipOf(source, genesis, signal);
  const known: BlockTimes[] = [];
  for (;;) {
    const found = await searchDate(seconds, tip, known);
    if ('bounds' in found) return found.bounds;
    known.push(...(await patiently(() => blocksAt(source, found.needs, signal), signal)));
  }
}

/** Whether the chain of a source still has the blocks that bound an instant. */
export async function stillBounds(source: string, { lower, upper }: DateBounds, signal: AbortSignal): Promise<boolean> {
  const blocks = [lower, upper].filter((block) => block !== null);
  const hashes = await Promise.all(blocks.map(({ height }) => patiently(() => blockHashAt(source, height, signal), signal)));
  return hashes.every((hash, at) => hash === blocks[at]?.hash);
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
