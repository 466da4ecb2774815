/** The Merkle trees of the log (RFC 6962, section 2.1), and its tiles (C2SP tlog-tiles). Sizes stay below 2^48, so that numbers are exact. */
import { joined } from '../bytes';
import { sha256 } from './sha256';
import { isSize } from './size';

export type Hash = Uint8Array;

/** How many hashes a full tile has. */
export const WIDTH = 256;

/** The levels of the tree that a tile covers. */
const LEVELS = 8;

/** Adjacent leaves below one node: the first one, and the one after the last. */
type Leaves = [first: number, end: number];

/** The hash of a leaf with the concatenation of these parts as its data. */
export const leafHash = async (...parts: Uint8Array[]): Promise<Hash> => sha256(joined([Uint8Array.of(0), ...parts]));

const parentHash = async (left: Hash, right: Hash): Promise<Hash> => sha256(joined([Uint8Array.of(1), left, right]));

export const same = (one: Uint8Array, other: Uint8Array) => one.length === other.length && one.every((byte, at) => byte === other[at]);

const half = (number: number) => Math.floor(number / 2);
const isOdd = (number: number) => number % 2 === 1;

/** Whether a leaf is in the tree with this root (RFC 9162, section 2.1.3.2). */
export async function isIncluded(leaf: Hash, index: number, path: Hash[], size: number, root: Hash): Promise<boolean> {
  if (!isSize(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let [hash, place, last] = [leaf, index, size - 1];
  const left = [...path];
  for (; last > 0; place = half(place), last = half(last)) {
    // The last node of a level may have no sibling, and is then one of the next level.
    if (!isOdd(place) && place === last) continue;
    const sibling = left.shift();
    if (!sibling) return false;
    hash = await (isOdd(place) ? parentHash(sibling, hash) : parentHash(hash, sibling));
  }
  return left.length === 0 && same(hash, root);
}

/** Whether a tree is the beginning of a larger one (RFC 9162, section 2.1.4.2). */
export async function isConsistent(before: number, beforeRoot: Hash, size: number, root: Hash, proof: Hash[]): Promise<boolean> {
  if (!isSize(size) || before < 1 || before > size) return false;
  if (before === size) return proof.length === 0 && same(beforeRoot, root);
  const isPowerOfTwo = Number.isInteger(Math.log2(before));
  const [first, ...rest] = isPowerOfTwo ? [beforeRoot, ...proof] : proof;
  if (!first || proof.length === 0) return false;
  let [place, last] = [before - 1, size - 1];
  while (isOdd(place)) [place, last] = [half(place), half(last)];
  let [old, now] = [first, first];
  for (const hash of rest) {
    if (last === 0) return false;
    if (isOdd(place) || place === last) {
      old = await parentHash(hash, old);
      now = await parentHash(hash, now);
      while (place !== 0 && !isOdd(place)) [place, last] = [half(place), half(last)];
    } else {
      now = await parentHash(now, hash);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && same(old, beforeRoot) && same(now, root);
}

/** The largest power of two below a number. */
function split(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

/** The nodes that show that a tree is the beginning of a larger one (RFC 6962, section 2.1.2). */
function consistencyNodes(before: number, [first, end]: Leaves, whole = true): Leaves[] {
  if (first + before === end) return whole ? [] : [[first, end]];
  const middle = first + split(end - first);
  if (first + before <= middle) return [...consistencyNodes(before, [first, middle], whole), [middle, end]];
  return [...consistencyNodes(first + before - middle, [middle, end], false), [first, middle]];
}

/** The largest complete subtrees that leaves are made of, from the left. */
function completeSubtrees([first, end]: Leaves): { level: number; place: number }[] {
  const subtrees = [];
  for (let at = first; at < end; ) {
    let [level, size] = [0, 1];
    while (at % (size * 2) === 0 && at + size * 2 <= end) {
      level += 1;
      size *= 2;
    }
    subtrees.push({ level, place: at / size });
    at += size;
  }
  return subtrees;
}

/** Where to find the hash of a complete subtree, or the hashes to compute it from: `count` hashes of a tile of `width`. */
function inTile(level: number, place: number, size: number) {
  const count = 2 ** (level % LEVELS);
  const tileLevel = Math.floor(level / LEVELS);
  const index = Math.floor((place * count) / WIDTH);
  const width = Math.min(WIDTH, Math.floor(size / 2 ** (LEVELS * tileLevel)) - index * WIDTH);
  return { tile: { level: tileLevel, index, width }, from: (place * count) % WIDTH, count };
}

async function rootOf(hashes: Hash[]): Promise<Hash> {
  if (hashes.length === 1 && hashes[0]) return hashes[0];
  const middle = hashes.length / 2;
  return parentHash(await rootOf(hashes.slice(0, middle)), await rootOf(hashes.slice(middle)));
}

/** The address of a tile, or of the bundle of entries that belongs to one of level 0, below the log's own. */
export function tilePath(kind: number | 'entries', index: number, width: number): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? [];
  const place = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${kind}/${place}${width < WIDTH ? `.p/${width}` : ''}`;
}

/** The hashes that show that a log has only grown, from its tiles. */
export async function consistencyProof(before: number, size: number, fetchTile: (path: string) => Promise<Uint8Array>): Promise<Hash[]> {
  const tiles = new Map<string, Promise<Uint8Array>>();
  const subtree = async (level: number, place: number): Promise<Hash> => {
    const { tile, from, count } = inTile(level, place, size);
    const path = tilePath(tile.level, tile.index, tile.width);
    const fetching = tiles.get(path) ?? fetchTile(path);
    tiles.set(path, fetching);
    const bytes = await fetching;
    return rootOf(Array.from({ length: count }, (_, at) => bytes.slice((from + at) * 32, (from + at + 1) * 32)));
  };
  const node = async (leaves: Leaves): Promise<Hash> => {
    const hashes = await Promise.all(completeSubtrees(leaves).map(({ level, place }) => subtree(level, place)));
    let hash = hashes.pop() ?? new Uint8Array();
    for (const left of hashes.toReversed()) hash = await parentHash(left, hash);
    return hash;
  };
  return Promise.all(consistencyNodes(before, [0, size]).map(node));
}
