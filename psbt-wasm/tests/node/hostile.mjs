// Files of any size that ask for as much work as they can, each in its way. They are written by hand, because no library writes them.

import { createHash } from 'node:crypto';

export const bytes = (...parts) => Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))));
export const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

export function u32(number) {
  const four = Buffer.alloc(4);
  four.writeUInt32LE(number);
  return four;
}

export function u64(number) {
  const eight = Buffer.alloc(8);
  eight.writeBigUInt64LE(BigInt(number));
  return eight;
}

export function compact(number) {
  if (number < 0xfd) return Buffer.of(number);
  return number < 0x1_0000 ? bytes(0xfd, u32(number).subarray(0, 2)) : bytes(0xfe, u32(number));
}

export const sized = (content) => bytes(compact(content.length), content);
export const field = (key, value) => bytes(sized(key), sized(value));
export const output = (script, sats = 1_000) => bytes(u64(sats), sized(script));

/** A push of fewer than 65,536 bytes. */
export const push = (data) => (data.length < 76 ? bytes(data.length, data) : bytes(0x4d, u32(data.length).subarray(0, 2), data));

export const SIGNATURE = Buffer.from(
  '3044022001010101010101010101010101010101010101010101010101010101010101010220020202020202020202020202020202020202020202020202020202020202020201',
  'hex',
);

export const P2PKH = bytes(0x76, 0xa9, 20, Buffer.alloc(20, 3), 0x88, 0xac);
const P2WSH = bytes(0, 32, Buffer.alloc(32, 3));
const sha256 = (...parts) => createHash('sha256').update(bytes(...parts)).digest();
export const twice256 = (content) => sha256(sha256(content));
export const tagged = (tag, ...parts) => sha256(sha256(tag), sha256(tag), ...parts);
export const witnessProgram = (script) => bytes(0, 32, sha256(script));

const P = 2n ** 256n - 2n ** 32n - 977n;
const G = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
];
const number = (data) => BigInt(`0x${data.toString('hex')}`);
const modulo = (value) => ((value % P) + P) % P;
const coordinate = (value) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

function inverse(value) {
  let [a, b, x, y] = [modulo(value), P, 1n, 0n];
  while (a > 0n) [a, b, x, y] = [b % a, a, y - (b / a) * x, x];
  return modulo(y);
}

function sum(one, other) {
  if (!one || !other) return one ?? other;
  const [[a, b], [c, d]] = [one, other];
  const slope = modulo(a === c ? 3n * a * a * inverse(2n * b) : (d - b) * inverse(c - a));
  const x = modulo(slope * slope - a - c);
  return [x, modulo(slope * (a - x) - b)];
}

function product(scalar) {
  let [point, power] = [null, G];
  for (let rest = scalar; rest > 0n; rest >>= 1n, power = sum(power, power)) if (rest & 1n) point = sum(point, power);
  return point;
}

/** A taproot output of one leaf whose internal key is the generator (BIP-0341), with the control block and the hash of the leaf. */
function taproot(leaf) {
  const hash = tagged('TapLeaf', 0xc0, sized(leaf));
  const [x, y] = product(1n + number(tagged('TapTweak', coordinate(G[0]), hash)));
  return { script: bytes(0x51, 32, coordinate(x)), control: bytes(0xc0 | Number(y & 1n), coordinate(G[0])), hash };
}

function power(base, exponent) {
  let result = 1n;
  for (let rest = exponent, square = base; rest > 0n; rest >>= 1n, square = (square * square) % P) {
    if (rest & 1n) result = (result * square) % P;
  }
  return result;
}

const known = [];

/** 32 bytes that differ, and are the coordinates of points. */
export function distinct(index) {
  for (let next = known.length > 0 ? known.at(-1).readUInt32LE(28) + 1 : 0; known.length <= index; next += 1) {
    const x = bytes(1, Buffer.alloc(27, 7), u32(next));
    const square = modulo(number(x) ** 3n + 7n);
    if (power(square, (P - 1n) / 2n) === 1n) known.push(x);
  }
  return known[index];
}

export const key = (index) => bytes(2, distinct(index));

/** The same point as 65 bytes. */
function longKey(index) {
  const x = number(distinct(index));
  return bytes(4, distinct(index), coordinate(power(modulo(x ** 3n + 7n), (P + 1n) / 4n)));
}

/** A PSBT with these maps, each an array of fields. */
function psbt(inputs, outputs = [[]], global = []) {
  const transaction = bytes(
    u32(2),
    compact(inputs.length),
    ...inputs.map((_, index) => bytes(distinct(index), u32(0), 0, u32(0xffff_fffd))),
    compact(outputs.length),
    ...outputs.map(() => output(P2WSH, 0)),
    u32(0),
  );
  return psbtOf(transaction, inputs, outputs, global);
}

/** A PSBT with this transaction. */
export function psbtOf(transaction, inputs, outputs = [[]], global = []) {
  const maps = [[field([0], transaction), ...global], ...inputs, ...outputs];
  return bytes('psbt', 0xff, ...maps.flatMap((map) => [...map, 0]));
}

const spends = (script) => field([1], output(script));
const derivation = (index, length = 33) => field(bytes(6, length === 33 ? key(index) : longKey(index)), bytes(u32(1), u32(2)));
const finalWitness = (elements) => field([8], bytes(compact(elements.length), ...elements.map(sized)));

/** Inputs of an unusual script, each with 40 signatures to try with 40 keys. */
export function searched(inputs) {
  const script = bytes(...times(40, (at) => push(key(at))), 0x75);
  return psbt(times(inputs, () => [spends(witnessProgram(script)), finalWitness([...times(40, () => SIGNATURE), script])]));
}

/** Files by the part that they repeat, about `count` times; a quarter of that for the slowest parts. */
export const HOSTILE = {
  'inputs': (count) => psbt(times(count, () => [spends(P2WSH)])),
  'inputs of one P2PKH script each, partly signed': (count) =>
    psbt(times(count, (at) => [spends(P2PKH), field(bytes(2, key(at)), SIGNATURE)])),
  'outputs': (count) => psbt([[spends(P2WSH)]], times(count, () => [])),
  'unknown fields': (count) => psbt([[spends(P2WSH), ...times(count, (at) => field(bytes(0xf0, u32(at)), []))]]),
  'unknown fields with keys alike': (count) =>
    psbt([[spends(P2WSH), ...times(count, (at) => field(bytes(0xf0, Buffer.alloc(20), u32(at)), []))]]),
  'unknown fields with long keys alike, among short ones': (count) => {
    const long = Math.round(Math.sqrt(100 * count));
    const alike = (at) => bytes(0xf0, Buffer.alloc((80 * count) / long, 7), u32(at));
    const keys = [...times(16 * count, (at) => bytes(0xf0, u32(at))), ...times(long, alike)];
    return psbt([[spends(P2WSH), ...keys.map((key) => field(key, []))]]);
  },
  'derivations': (count) => psbt([[spends(P2WSH), ...times(count, (at) => derivation(at))]]),
  'derivations of long keys': (count) => psbt([[spends(P2WSH), ...times(count, (at) => derivation(at, 65))]]),
  'derivations, and hashes that a script names': (count) =>
    psbt([[
      spends(P2WSH),
      field([5], bytes(...times(count, (at) => push(distinct(at).subarray(12))))),
      ...times(count, (at) => derivation(at)),
    ]]),
  'keys and signatures in a final witness': (count) => {
    const script = bytes(...times(count / 4, (at) => push(key(at))), 0x75);
    return psbt([[spends(witnessProgram(script)), finalWitness([...times(count / 4, () => SIGNATURE), script])]]);
  },
  'the shortest signatures, and keys beside them': (count) => {
    const short = SIGNATURE.subarray(0, 9);
    const elements = [...times(4 * count, () => short), ...times(count, (at) => key(at)), Buffer.of(0x75)];
    return psbt([[spends(witnessProgram(Buffer.of(0x75))), finalWitness(elements)]]);
  },
  'keys of a leaf, and signatures in a final witness': (count) => {
    const leaf = bytes(...times(count / 4, (at) => push(distinct(at))), 0x75);
    const { script, control } = taproot(leaf);
    return psbt([[spends(script), finalWitness([...times(count / 4, () => Buffer.alloc(64, 9)), leaf, control])]]);
  },
  'keys of a leaf, and signatures of other keys for it': (count) => {
    const leaf = bytes(...times(count, (at) => bytes(push(distinct(at)), at === 0 ? 0xac : 0xba)), 0x51, 0x9c);
    const { script, control, hash } = taproot(leaf);
    const signature = (at) => field(bytes(0x14, distinct(count + at), hash), Buffer.alloc(64, 9));
    return psbt([[spends(script), field(bytes(0x15, control), bytes(leaf, 0xc0)), ...times(count, signature)]]);
  },
  'leaves, and signatures of leaves': (count) =>
    psbt([[
      spends(taproot(Buffer.of(0x51)).script),
      ...times(count, (at) => field(bytes(0x15, 0xc0, distinct(at)), bytes(push(distinct(at)), 0xac, 0xc0))),
      ...times(count, (at) => field(bytes(0x14, distinct(at), distinct(at)), Buffer.alloc(64, 9))),
    ]]),
  'pushes': (count) => psbt([[spends(P2WSH), field([5], Buffer.alloc(32 * count, 0x51))]]),
  'extended public keys': (count) =>
    psbt([[spends(P2WSH)]], [[]], times(count, (at) =>
      field(bytes(1, Buffer.from('043587cf', 'hex'), 0, u32(0), u32(at), distinct(at), key(at)), u32(1)))),
};
