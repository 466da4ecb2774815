/** What a server that speaks Esplora's REST API says about coins. */
import { jsonFrom, SourceError, textFrom } from './elsewhere';

/** A coin as a proof states it. */
export interface StatedCoin {
  txid: string;
  vout: number;
  value_sats: number;
  script_pubkey: string;
}

export type CoinState =
  | 'unspent'
  /** Spent by a transaction that no block has yet. */
  | 'leaving'
  | 'spent'
  | 'unconfirmed'
  /** There is no such coin. */
  | 'missing'
  /** It has another value or script. */
  | 'differs';

/** The newest block that a source knows, and the first one, which tells the chain. */
export interface Chain {
  height: number;
  genesis: string;
}

export async function chainOf(source: string, signal?: AbortSignal): Promise<Chain> {
  const [height, genesis] = await Promise.all([
    textFrom(`${source}/blocks/tip/height`, signal),
    textFrom(`${source}/block-height/0`, signal),
  ]);
  if (!/^\d{1,9}$/.test(height.trim()) || !/^[0-9a-f]{64}$/.test(genesis.trim())) throw unreadable(source);
  return { height: Number(height), genesis: genesis.trim() };
}

/** The outputs of a transaction, and whether a block has it; null when there is none. */
export async function fundingOf(source: string, txid: string, signal?: AbortSignal): Promise<Funding | null> {
  try {
    const { vout, status } = object(await jsonFrom(`${source}/tx/${txid}`, signal), source);
    if (!Array.isArray(vout)) throw unreadable(source);
    const { confirmed } = object(status, source);
    return { confirmed: confirmed === true, outputs: vout.map((output) => object(output, source)) };
  } catch (error) {
    if (error instanceof SourceError && error.trouble === 'not-found') return null;
    throw error;
  }
}

interface Funding {
  confirmed: boolean;
  outputs: Record<string, unknown>[];
}

/** Where one coin is. */
export async function stateOf(source: string, coin: StatedCoin, funding: Funding | null, signal?: AbortSignal): Promise<CoinState> {
  const output = funding?.outputs[coin.vout];
  if (!funding || !output) return 'missing';
  if (output.value !== coin.value_sats || output.scriptpubkey !== coin.script_pubkey) return 'differs';
  if (!funding.confirmed) return 'unconfirmed';
  const { spent, status } = object(await jsonFrom(`${source}/tx/${coin.txid}/outspend/${coin.vout}`, signal), source);
  if (typeof spent !== 'boolean') throw unreadable(source);
  if (!spent) return 'unspent';
  return object(status, source).confirmed === true ? 'spent' : 'leaving';
}

function object(value: unknown, source: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw unreadable(source);
  return value as Record<string, unknown>;
}

function unreadable(source: string): SourceError {
  return new SourceError('unreadable', `${new URL(source).host} does not answer as Esplora does. Is its address whole? It often ends in /api.`);
}
