// The JavaScript half of src/wasm/proof.rs: a published proof as the second module reads it, and what comes of it.

import { PsbtError } from './psbt.js';

const HEX = /^(?:[0-9a-f]{2})*$/i;

/** The proof as a board publishes it, and the origin of the board that was asked, as src/wasm/proof.rs reads them. */
export function publishedOf(proof, origin) {
  const { binding, inputs, statement, transaction } = proof ?? {};
  const nonce = bytesOf(statement?.nonce, 16);
  if (!['message', 'transaction'].includes(binding) || !Array.isArray(inputs)) throw malformed();
  const texts = [origin, statement.origin, statement.provider, statement.subject, statement.account_id, statement.text];
  const parts = [Uint8Array.of(binding === 'message' ? 1 : 0), nonce];
  for (const text of texts) {
    if (typeof text !== 'string') throw malformed();
    parts.push(...framed(new TextEncoder().encode(text)));
  }
  parts.push(...framed(bytesOf(transaction)));
  for (const input of inputs) parts.push(...coinOf(input));
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Outpoint, value and script of a coin. */
function coinOf(input) {
  const { txid, vout, value_sats: sats, script_pubkey: script } = input ?? {};
  const numbers = new DataView(new ArrayBuffer(12));
  if (vout >>> 0 !== vout || !Number.isSafeInteger(sats) || sats < 0) throw malformed();
  numbers.setUint32(0, vout, true);
  numbers.setBigUint64(4, BigInt(sats), true);
  return [bytesOf(txid, 32).reverse(), new Uint8Array(numbers.buffer), ...framed(bytesOf(script))];
}

function framed(bytes) {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length, true);
  return [length, bytes];
}

function bytesOf(hex, length = hex?.length / 2) {
  if (typeof hex !== 'string' || !HEX.test(hex) || hex.length !== 2 * length) throw malformed();
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}

const malformed = () => new PsbtError('malformed-proof', 'This is no published proof, or not all of one.');

/** What is known of the proof, and the PSBT that the first module reads. */
export function toChecked(packed) {
  const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  const told = JSON.parse(new TextDecoder().decode(packed.subarray(4, 4 + length)));
  return { ...told, amountSats: BigInt(told.amountSats), psbt: packed.slice(4 + length) };
}
