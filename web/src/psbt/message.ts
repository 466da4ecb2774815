/** Key type of the message of a proof of funds, in the global map (BIP-0322). */
const MESSAGE = 0x09;
/** Bytes before the first map: the magic (BIP-0174). */
const MAGIC = 5;

/** The message that a proof of funds carries; null when the file carries none, as a final transaction does. */
export function messageIn(bytes: Uint8Array): string | null {
  if (bytes[0] !== 0x70 || bytes[MAGIC - 1] !== 0xff) return null;
  let at = MAGIC;
  const take = (): Uint8Array => {
    const [length, width] = compactSize(bytes, at);
    at += width + length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = take();
    if (key.length === 0) return null; // the end of the map
    const value = take();
    if (key.length === 1 && key[0] === MESSAGE) return new TextDecoder().decode(value);
  }
  return null;
}

/** A length, and how many bytes say it. Longer ones than 32 bits are in no file that was read. */
function compactSize(bytes: Uint8Array, at: number): [length: number, width: number] {
  const first = bytes[at] ?? 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (first < 0xfd) return [first, 1];
  return first === 0xfd ? [view.getUint16(at + 1, true), 3] : [view.getUint32(at + 1, true), 5];
}
