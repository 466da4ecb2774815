/** Which parts of a message a frame of a multipart UR mixes: both sides draw the same (BCR-2024-001, "Multipart UR"). */
import { sha256 } from '@noble/hashes/sha2.js';
import { numberBytes } from './bytewords';

const U64 = (value: bigint) => BigInt.asUintN(64, value);
const turned = (value: bigint, by: bigint) => U64(value << by) | (value >> (64n - by));

/** Numbers between 0 and 1, drawn by xoshiro256** that is seeded with the hash of some bytes. */
export function randomOf(seed: Uint8Array): () => number {
  // At once, which the browser's own is not.
  const hash = sha256(seed);
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
  let [a, b, c, d] = [0, 8, 16, 24].map((at) => view.getBigUint64(at)) as [bigint, bigint, bigint, bigint];
  return () => {
    const drawn = U64(turned(U64(b * 5n), 7n) * 9n);
    const shifted = U64(b << 17n);
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = turned(d, 45n);
    // As many bits as a number holds exactly, so that it is never 1.
    return Number(drawn >> 11n) / 2 ** 53;
  };
}

/** The parts, from 0 on, that are mixed in frame `sequence`, from 1 on. */
export function partsOf(sequence: number, count: number, checksum: number): number[] {
  if (sequence <= count) return [sequence - 1];
  const seed = new Uint8Array(8);
  seed.set(numberBytes(sequence));
  seed.set(numberBytes(checksum), 4);
  const random = randomOf(seed);
  const degree = degreeOf(random, count);
  const left = Array.from({ length: count }, (_, part) => part);
  return Array.from({ length: degree }, () => left.splice(Math.floor(random() * left.length), 1)).flat();
}

/** How many parts are mixed: n with a weight of 1/n. */
export function degreeOf(random: () => number, count: number): number {
  const { chances, aliases } = aliasTable(count);
  const at = Math.floor(random() * count);
  return (random() < (chances[at] ?? 0) ? at : (aliases[at] ?? 0)) + 1;
}

interface AliasTable {
  chances: number[];
  aliases: number[];
}

let latest: (AliasTable & { count: number }) | null = null;

/** Vose's alias method. Its order decides what is drawn: the last of the small with the last of the large. */
function aliasTable(count: number): AliasTable {
  if (latest?.count === count) return latest;
  const weights = Array.from({ length: count }, (_, at) => 1 / (at + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const scaled = weights.map((weight) => (weight * count) / sum);
  const from = Array.from({ length: count }, (_, at) => count - 1 - at);
  const small = from.filter((at) => (scaled[at] ?? 0) < 1);
  const large = from.filter((at) => (scaled[at] ?? 0) >= 1);
  // What is left over at the end is certain.
  const chances = Array.from({ length: count }, () => 1);
  const aliases = Array.from({ length: count }, () => 0);
  while (small.length > 0 && large.length > 0) {
    const [less, more] = [small.pop() ?? 0, large.pop() ?? 0];
    chances[less] = scaled[less] ?? 0;
    aliases[less] = more;
    scaled[more] = (scaled[more] ?? 0) + (scaled[less] ?? 0) - 1;
    ((scaled[more] ?? 0) < 1 ? small : large).push(more);
  }
  latest = { count, chances, aliases };
  return latest;
}

/** A mix of parts of equal length. */
export function mixed(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const mix = new Uint8Array(length);
  for (const part of parts) for (let at = 0; at < length; at++) mix[at] = (mix[at] ?? 0) ^ (part[at] ?? 0);
  return mix;
}

/** The parts that are known, and the mixes that wait for others. */
export class Fountain {
  readonly known = new Map<number, Uint8Array>();
  private waiting: { parts: Set<number>; mix: Uint8Array }[] = [];

  constructor(
    private readonly count: number,
    private readonly checksum: number,
  ) {}

  receive(sequence: number, mix: Uint8Array): void {
    this.waiting.push({ parts: new Set(partsOf(sequence, this.count, this.checksum)), mix });
    // Each part that becomes known may free others.
    for (let before = -1; before !== this.known.size; ) {
      before = this.known.size;
      this.waiting = this.waiting.filter((entry) => !this.settled(entry));
    }
  }

  /** Removes known parts from a mixed one; whether it has no unknown part left. */
  private settled(entry: { parts: Set<number>; mix: Uint8Array }): boolean {
    for (const part of entry.parts) {
      const known = this.known.get(part);
      if (!known) continue;
      entry.parts.delete(part);
      entry.mix = mixed([entry.mix, known], entry.mix.length);
    }
    const [only] = entry.parts;
    if (entry.parts.size === 1 && only !== undefined) this.known.set(only, entry.mix);
    return entry.parts.size <= 1;
  }
}
