/** The block that dates a proof: from a chain source, or pasted when offline. */
import { hostOf, SourceError, textFrom } from '../../api/elsewhere';
import { blockHashAt, chainOf } from '../../api/esplora';
import { readHeader, type BlockHeader } from '../../lib/block-header';
import { chainFrom } from '../../lib/chains';
import type { Network } from '../../psbt';

/** Blocks above the one that a proof commits to, so that it stays in the chain. */
const DEPTH = 6;

export interface DatingBlock extends BlockHeader {
  network: Network;
  height: number;
  /** The host that gave it; null when it was pasted, and nobody checked it. */
  source: string | null;
}

/** The newest block of a source that has six above it. On a chain without so many it is the first one, which dates nothing. */
export async function newestBlock(source: string, signal?: AbortSignal): Promise<DatingBlock> {
  const { height: tip, genesis } = await chainOf(source, signal);
  const chain = chainFrom(genesis);
  if (!chain) throw new SourceError('unreadable', `${hostOf(source)} is on a network that this page doesn’t support.`);
  const height = Math.max(0, tip - DEPTH);
  const hash = await blockHashAt(source, height, signal);
  const read = readHeader((await textFrom(`${source}/block/${hash}/header`, signal)).trim());
  if (!read || read.hash !== hash) throw new SourceError('unreadable', `${hostOf(source)} sent a block header that doesn’t belong to block ${height}.`);
  return { ...read, network: chain.network, height, source: hostOf(source) };
}

/** A pasted block, or a message on what is wrong with it. */
export function pastedBlock(header: string, height: string, network: Network): DatingBlock | string {
  if (!/^\d{1,8}$/.test(height.trim())) return 'Type the height of the block, a whole number.';
  const read = readHeader(header.replaceAll(/\s/g, ''));
  if (!read) return 'This is not a block header. Paste its 160 hexadecimal digits, as “getblockheader HASH false” prints them.';
  return { ...read, network, height: Number(height), source: null };
}
