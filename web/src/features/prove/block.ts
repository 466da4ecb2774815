/** The block that dates a proof: from a chain source, or pasted by somebody without a connection. */
import { sha256 } from '@noble/hashes/sha2.js';
import { hostOf, SourceError, textFrom } from '../../api/elsewhere';
import { blockHashAt, chainOf } from '../../api/esplora';
import { fromHex, toHex } from '../../lib/bytes';
import { chainFrom } from '../../lib/chains';
import type { Network } from '../../psbt';

/** Blocks above the one that a proof commits to, so that it stays in the chain. */
const DEPTH = 6;
const HEADER_BYTES = 80;

export interface DatingBlock {
  network: Network;
  height: number;
  /** Hexadecimal text, as `hash`. */
  header: string;
  hash: string;
  /** When it was mined, as it says: unix seconds. */
  time: number;
  /** The host that gave it; null when it was pasted, and nobody checked it. */
  source: string | null;
}

/** What a header says of its block; null when it is no header, or has not the work that it claims. */
export function readHeader(header: string): Pick<DatingBlock, 'header' | 'hash' | 'time'> | null {
  const bytes = fromHex(header);
  if (bytes?.length !== HEADER_BYTES) return null;
  const view = new DataView(bytes.buffer);
  const hash = toHex(sha256(sha256(bytes)).toReversed());
  // Compact form of the target: three bytes of it, and how long it is.
  const bits = view.getUint32(72, true);
  const target = BigInt(bits & 0x7f_ffff) << BigInt(Math.max(0, 8 * ((bits >>> 24) - 3)));
  if (BigInt(`0x${hash}`) > target) return null;
  return { header: header.toLowerCase(), hash, time: view.getUint32(68, true) };
}

/** The newest block of a source that has six above it. On a chain without so many it is the first one, which dates nothing. */
export async function newestBlock(source: string, signal?: AbortSignal): Promise<DatingBlock> {
  const { height: tip, genesis } = await chainOf(source, signal);
  const chain = chainFrom(genesis);
  if (!chain) throw new SourceError('unreadable', `${hostOf(source)} has a chain that this page does not know.`);
  const height = Math.max(0, tip - DEPTH);
  const hash = await blockHashAt(source, height, signal);
  const read = readHeader((await textFrom(`${source}/block/${hash}/header`, signal)).trim());
  if (!read || read.hash !== hash) throw new SourceError('unreadable', `${hostOf(source)} gave a block header that is not that of block ${height}.`);
  return { ...read, network: chain.network, height, source: hostOf(source) };
}

/** A block that somebody pasted; a sentence on what is wrong when it cannot be one. */
export function pastedBlock(header: string, height: string, network: Network): DatingBlock | string {
  if (!/^\d{1,8}$/.test(height.trim())) return 'Type the height of the block, a whole number.';
  const read = readHeader(header.replaceAll(/\s/g, ''));
  if (!read) return 'This is not a block header. Paste its 160 hexadecimal digits, as “getblockheader HASH false” prints them.';
  return { ...read, network, height: Number(height), source: null };
}
