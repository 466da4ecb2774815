// The JavaScript half of src/wasm/tools/signed_message.rs.

import { frame } from './frames.js';
import { bytesOf, bytesOfHex, invalidOption, isHex, requireOptions } from './psbt.js';

/** Longer texts are tried only as they are: normalizing can take hours. */
const MAX_NORMALIZED = 10_000;

/**
 * An address, a message, a signature, and the message in Unicode's normal forms C and D, and the
 * coins. A message that is a string is its UTF-8 bytes.
 */
export function encodeMessage(address, message, signature, options) {
  if (typeof address !== 'string' || typeof signature !== 'string') {
    throw new TypeError('The address and the signature must be strings.');
  }
  requireOptions(options, ['coins']);
  const coins = Array.from(options?.coins ?? [], encodedCoin);
  const text = typeof message === 'string' ? message : decoded(bytesOf(message));
  const forms = ['NFC', 'NFD'].map((form) => (text !== null && text.length <= MAX_NORMALIZED ? text.normalize(form) : ''));
  return frame([address, message, signature, ...forms].map(bytesOf).concat(coins));
}

/** Bytes as text; null if they are none. */
function decoded(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Outpoint, value and script of a coin. */
function encodedCoin(coin) {
  const { txid, vout, valueSats, scriptPubKey } = coin ?? {};
  const isValue = typeof valueSats === 'bigint' && BigInt.asUintN(64, valueSats) === valueSats;
  if (!isHex(txid) || txid.length !== 64 || vout >>> 0 !== vout || !isValue || !isHex(scriptPubKey)) {
    throw invalidOption('Each of the coins needs txid, vout, valueSats (a bigint) and scriptPubKey.');
  }
  const script = bytesOfHex(scriptPubKey);
  const encoded = new Uint8Array(44 + script.length);
  const view = new DataView(encoded.buffer);
  encoded.set(bytesOfHex(txid).reverse());
  view.setUint32(32, vout, true);
  view.setBigUint64(36, valueSats, true);
  encoded.set(script, 44);
  return encoded;
}
