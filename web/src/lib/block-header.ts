import { sha256 } from '@noble/hashes/sha2.js';
import { fromHex, toHex } from './bytes';

const HEADER_BYTES = 80;

export interface BlockHeader {
  /** Hexadecimal text, as `hash`. */
  header: string;
  hash: string;
  /** When it was mined, as it says: unix seconds. */
  time: number;
}

/** The block of a header; null when it is not a header, or lacks the work that it claims. */
export function readHeader(header: string): BlockHeader | null {
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
