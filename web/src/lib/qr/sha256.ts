/**
 * SHA-256 of at most 55 bytes, at once: the browser's own answers later, and only on pages that came by HTTPS. It seeds
 * which parts are mixed, and guards nothing (FIPS 180-4, sections 4 to 6).
 */
const MOST = 55;
const ROUNDS = 64;

const PRIMES = primes(ROUNDS);
/** The first 32 bits of the fractional parts of roots of the primes. */
const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0;
const CONSTANTS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes.length > MOST) throw new RangeError(`at most ${MOST} bytes`);
  const block = new DataView(new ArrayBuffer(64));
  bytes.forEach((byte, at) => block.setUint8(at, byte));
  block.setUint8(bytes.length, 0x80);
  block.setUint32(60, bytes.length * 8);

  const words = new Uint32Array(ROUNDS);
  for (let at = 0; at < 16; at++) words[at] = block.getUint32(at * 4);
  const word = (at: number) => words[at] ?? 0;
  for (let at = 16; at < ROUNDS; at++) {
    const early = turned(word(at - 15), 7) ^ turned(word(at - 15), 18) ^ (word(at - 15) >>> 3);
    const late = turned(word(at - 2), 17) ^ turned(word(at - 2), 19) ^ (word(at - 2) >>> 10);
    words[at] = word(at - 16) + early + word(at - 7) + late;
  }

  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = START;
  for (let at = 0; at < ROUNDS; at++) {
    const chosen = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + (CONSTANTS[at] ?? 0) + word(at)) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  const hash = new DataView(new ArrayBuffer(32));
  [a, b, c, d, e, f, g, h].forEach((part, at) => hash.setUint32(at * 4, part + (START[at] ?? 0)));
  return new Uint8Array(hash.buffer);
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let next = 2; found.length < count; next++) if (found.every((prime) => next % prime !== 0)) found.push(next);
  return found;
}
