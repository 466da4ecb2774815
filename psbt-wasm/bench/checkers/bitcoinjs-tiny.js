import * as tiny from 'tiny-secp256k1';
import { checker } from './bitcoinjs.js';

export const about = { name: 'bitcoinjs-lib and tiny-secp256k1' };

export const load = checker(
  async () => tiny,
  async () => (key, hash, signature) =>
    key.length === 32 ? tiny.verifySchnorr(hash, key, signature) : tiny.verify(hash, key, signature),
);
