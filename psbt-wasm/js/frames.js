// How several values cross the boundary in one: the other half is src/wasm/tools/frames.rs.

import { MAX_FILE_BYTES, PsbtError, bytesOf } from './psbt.js';

/** Values one after the other, each after its length in 4 bytes, little endian. */
export function frame(values) {
  const all = Array.from(values, bytesOf);
  const length = all.reduce((length, value) => length + 4 + value.length, 0);
  if (length > MAX_FILE_BYTES) throw new PsbtError('file-too-large', 'The files are too large: together they can have 32 MiB.');
  const frames = new Uint8Array(length);
  const view = new DataView(frames.buffer);
  let at = 0;
  for (const value of all) {
    view.setUint32(at, value.length, true);
    frames.set(value, at + 4);
    at += 4 + value.length;
  }
  return frames;
}

/** What a module answers as JSON text. Amounts are text in it, because JSON has no `bigint`. */
export function fromJson(json) {
  const facts = JSON.parse(new TextDecoder().decode(json));
  return facts !== null && 'amountSats' in facts ? { ...facts, amountSats: BigInt(facts.amountSats) } : facts;
}

/** JSON text after its length, and the PSBT that it is about, as one object. */
export function unpack(packed) {
  const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  return { psbt: packed.slice(4 + length), ...fromJson(packed.subarray(4, 4 + length)) };
}
