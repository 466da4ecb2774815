import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { checker } from './bitcoinjs.js';

export const about = { name: 'bitcoinjs-lib and @noble/curves' };

const { Point } = secp256k1;
const number = (bytes) => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** What bitcoinjs-lib wants of a curve. */
const curve = {
  isXOnlyPoint(key) {
    try {
      schnorr.utils.lift_x(number(key));
      return true;
    } catch {
      return false;
    }
  },
  xOnlyPointAddTweak(key, tweak) {
    const scalar = number(tweak);
    const point = schnorr.utils.lift_x(number(key));
    const tweaked = scalar === 0n ? point : point.add(Point.BASE.multiply(scalar));
    if (tweaked.is0()) return null;
    const bytes = tweaked.toBytes(true);
    return { parity: bytes[0] & 1, xOnlyPubkey: bytes.subarray(1) };
  },
};

export const load = checker(
  async () => curve,
  async () => (key, hash, signature) =>
    key.length === 32
      ? schnorr.verify(signature, hash, key)
      : secp256k1.verify(signature, hash, key, { prehash: false, lowS: false }),
);
