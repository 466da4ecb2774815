/** Looks up coins at a server with Esplora's REST API. */
import type { BlockTimes } from '../psbt';
import { jsonFrom, notEsplora, SourceError, textFrom } from './elsewhere';

/** A coin as a proof states it. */
export interface StatedCoin {
  txid: string;
  vout: number;
  value_sats: number;
  script_pubkey: string;
}

/** How old a coin must be before it can be spent (BIP-0068). */
export type RelativeLock = { blocks: number } | { seconds: number };

/** A coin as a proof states it, with the relative lock of the input that spends it. */
export interface SpentCoin extends StatedCoin {
  lock?: RelativeLock | null;
}

export type CoinState =
  | 'unspent'
  /** Unspent, and not old enough for its relative lock. */
  | 'locked'
  /** Spent by a transaction that no block has yet. */
  | 'leaving'
  | 'spent'
  | 'unconfirmed'
  /** There is no such coin. */
  | 'missing'
  /** It has another value or script. */
  | 'differs';

/** A source's newest block, and its first one, which identifies the chain. */
export interface Chain {
  height: number;
  genesis: string;
}

export async function chainOf(source: string, signal?: AbortSignal): Promise<Chain> {
  const [height, genesis] = await Promise.all([textFrom(`${source}/blocks/tip/height`, signal), hashAt(source, 0, signal)]);
  if (!/^\d{1,9}$/.test(height.trim())) throw notEsplora(source);
  return { height: Number(height), genesis };
}

/** The relative lock of an input; null when it has none. Nodes compare the version as a number without a sign. */
export function relativeLock(sequence: number, version: number): RelativeLock | null {
  const [value, isTime, isOff] = [sequence & 0xffff, sequence & (1 << 22), sequence & (1 << 31)];
  if (version >>> 0 < 2 || isOff) return null;
  return isTime ? { seconds: 512 * value } : { blocks: value };
}

/** Where a transaction is, and its outputs; null when there is none. */
export async function fundingOf(source: string, txid: string, signal?: AbortSignal): Promise<Funding | null> {
  const found = await jsonFrom(`${source}/tx/${txid}`, signal).catch(nullWhereMissing);
  if (found === null) return null;
  const { vout, status } = object(found, source);
  if (!Array.isArray(vout)) throw notEsplora(source);
  const { confirmed, block_height: height } = object(status, source);
  const isConfirmed = confirmed === true && Number.isSafeInteger(height);
  return { height: isConfirmed ? Number(height) : null, outputs: vout.map((output) => object(output, source)) };
}

function nullWhereMissing(error: unknown): null {
  if (error instanceof SourceError && error.trouble === 'not-found') return null;
  throw error;
}

export interface Funding {
  /** Of its block; null when no block has it. */
  height: number | null;
  outputs: Record<string, unknown>[];
}

/** What is wrong with a coin, whether or not it is spent; null when nothing is. */
export function troubleWith(coin: StatedCoin, funding: Funding | null): CoinState | null {
  const output = funding?.outputs[coin.vout];
  if (!funding || !output) return 'missing';
  if (output.value !== coin.value_sats || output.scriptpubkey !== coin.script_pubkey) return 'differs';
  return funding.height === null ? 'unconfirmed' : null;
}

/**
 * What spends the outputs of a transaction, in their order; null when the source does not say it of all together. Not every server does,
 * and one that does not may answer with any error, or with an error that pages cannot read.
 */
export async function spendsOf(source: string, txid: string, { outputs }: Funding, signal?: AbortSignal): Promise<unknown[] | null> {
  const spends = await jsonFrom(`${source}/tx/${txid}/outspends`, signal).catch(nullWhereUnsaid);
  return Array.isArray(spends) && spends.length === outputs.length && spends.every(isSpend) ? spends : null;
}

/** What spends one coin. */
export function spendOf(source: string, { txid, vout }: StatedCoin, signal?: AbortSignal): Promise<unknown> {
  return jsonFrom(`${source}/tx/${txid}/outspend/${vout}`, signal);
}

const isSpend = (value: unknown) => typeof value === 'object' && value !== null && typeof Reflect.get(value, 'spent') === 'boolean';

/** The state of a coin by the source's answer about its spending. */
export function stateIn(spend: unknown, source: string): 'unspent' | 'leaving' | 'spent' {
  if (!isSpend(spend)) throw notEsplora(source);
  const { spent, status } = object(spend, source);
  if (spent === false) return 'unspent';
  return object(status, source).confirmed === true ? 'spent' : 'leaving';
}

/** When blocks funded and spent a coin. */
export interface CoinHeights {
  /** Null while no block has it. */
  funded: number | null;
  /** Null when no block spends it; `unknown` when the source does not say which one. */
  spent: number | null | 'unknown';
}

/** The height at which a coin was spent, by the source's answer about its spending. */
export function spentIn(spend: unknown, source: string): CoinHeights['spent'] {
  if (stateIn(spend, source) !== 'spent') return null;
  const height = object(object(spend, source).status, source).block_height;
  return Number.isSafeInteger(height) && Number(height) >= 0 ? Number(height) : 'unknown';
}

/** The block at a height, and as many below it as the source sends at once. */
export async function blocksAt(source: string, height: number, signal?: AbortSignal): Promise<BlockTimes[]> {
  const several = await jsonFrom(`${source}/blocks/${height}`, signal).catch(nullWhereUnsaid);
  const blocks = Array.isArray(several) ? several.map(blockIn).filter((block) => block !== null) : [];
  if (blocks.some((block) => block.height === height)) return blocks;
  const hash = await hashAt(source, height, signal);
  const block = blockIn(await jsonFrom(`${source}/block/${hash}`, signal));
  if (block?.hash !== hash || block.height !== height) throw notEsplora(source);
  return [block];
}

function blockIn(answer: unknown): BlockTimes | null {
  const { id: hash, height, timestamp: time, mediantime: medianTime } = (answer ?? {}) as Record<string, unknown>;
  if (typeof hash !== 'string' || ![height, time, medianTime].every((one) => Number.isSafeInteger(one))) return null;
  return { hash, height: Number(height), time: Number(time), medianTime: Number(medianTime) };
}

/** Not every server says it; one that does not may answer with any error, or with one that pages cannot read. */
function nullWhereUnsaid(error: unknown): null {
  if (error instanceof SourceError && error.trouble !== 'rate-limit') return null;
  throw error;
}

/** The hash of the block at a height; null when the chain has none. */
export async function blockHashAt(source: string, height: number, signal?: AbortSignal): Promise<string | null> {
  return hashAt(source, height, signal).catch(nullWhereMissing);
}

async function hashAt(source: string, height: number, signal?: AbortSignal): Promise<string> {
  const hash = (await textFrom(`${source}/block-height/${height}`, signal)).trim();
  if (!/^[0-9a-f]{64}$/.test(hash)) throw notEsplora(source);
  return hash;
}

/** The median time past of the block at a height (BIP-0113), unix seconds. */
export async function medianTimeAt(source: string, height: number, signal?: AbortSignal): Promise<number> {
  const hash = await hashAt(source, height, signal);
  const { mediantime: time } = object(await jsonFrom(`${source}/block/${hash}`, signal), source);
  if (!Number.isSafeInteger(time)) throw notEsplora(source);
  return Number(time);
}

function object(value: unknown, source: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw notEsplora(source);
  return value as Record<string, unknown>;
}
