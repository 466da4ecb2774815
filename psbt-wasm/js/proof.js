// The JavaScript half of src/wasm/proof.rs: options, a published proof as the module that checks it reads it, and what was found.

import { isForReader, READER } from './for-reader.js';
import { MAX_FILE_BYTES, PsbtError } from './psbt.js';

const HEX = /^[0-9a-f]*$/i;

/** As in src/signatures/work.rs. */
const MAX_CHECKS = 40_000;

/** How many signatures the options of a check allow to be tried. */
export function maxChecksOf(options) {
  const { maxChecks = MAX_CHECKS } = options ?? {};
  if (!Number.isInteger(maxChecks) || maxChecks < 0 || maxChecks > MAX_CHECKS) {
    throw new PsbtError('invalid-option', `maxChecks must be a whole number from 0 to ${MAX_CHECKS}.`);
  }
  return maxChecks;
}

/** No transaction is longer than a block (BIP-0141). */
const MAX_TRANSACTION_BYTES = 4_000_000;

/** The proof as a board publishes it, and the origin of the board that was asked, as src/wasm/proof.rs reads them. */
export function publishedOf(proof, origin) {
  const { binding, inputs, statement, transaction } = proof ?? {};
  if (!['message', 'transaction'].includes(binding) || !Array.isArray(inputs)) throw malformed();
  const { nonce, origin: own, provider, subject, account_id: account, text, name, block } = statement ?? {};
  const texts = [origin, own, provider, subject, account, text, block ? name : ''];
  measure(transaction, texts.concat(nonce, block ? block.header : '', inputs.flatMap((input) => [input?.txid, input?.script_pubkey])));

  const parts = [Uint8Array.of(binding === 'message' ? 1 : 0), bytesOf(nonce, 16), Uint8Array.of(block ? 1 : 0)];
  if (block) parts.push(bytesOf(block.header, 80));
  for (const text of texts) parts.push(...framed(new TextEncoder().encode(text)));
  parts.push(...framed(bytesOf(transaction)));
  for (const input of inputs) parts.push(...coinOf(input));
  const published = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    published.set(part, at);
    at += part.length;
  }
  return published;
}

/** Before anything is converted. */
function measure(transaction, others) {
  let length = 0;
  for (const text of [transaction, ...others]) {
    if (typeof text !== 'string') throw malformed();
    length += text.length;
  }
  if (transaction.length > 2 * MAX_TRANSACTION_BYTES || length > MAX_FILE_BYTES) {
    throw new PsbtError('file-too-large', 'The proof is too large: its transaction can have 4 MB, and all of it 32 MiB.');
  }
}

/** Outpoint, value and script of a coin. */
function coinOf({ txid, vout, value_sats: sats, script_pubkey: script }) {
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

function bytesOf(hex, length = hex.length / 2) {
  if (hex.length !== 2 * length || hex.length % 2 || !HEX.test(hex)) throw malformed();
  const digit = (at) => (hex.charCodeAt(at) & 15) + (hex.charCodeAt(at) > 57 ? 9 : 0);
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) bytes[at] = digit(2 * at) * 16 + digit(2 * at + 1);
  return bytes;
}

const malformed = () => new PsbtError('malformed-proof', 'This is no published proof, or not all of one.');

/** What a module answers as JSON text. */
export function fromJson(json) {
  return JSON.parse(new TextDecoder().decode(json));
}

/** What is known of the proof, what it claims, and the PSBT that the first module reads. */
export function toChecked(packed, { statement }) {
  const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  const told = JSON.parse(new TextDecoder().decode(packed.subarray(4, 4 + length)));
  if (statement.origin === READER && !isForReader(statement)) told.statement ??= 'other-statement';
  const claimed = {
    confirmed: false,
    origin: statement.origin,
    provider: statement.provider,
    subject: statement.subject,
    accountId: statement.account_id,
    // The full name, to which a dated code commits; else the fifth word of a statement that has the right form.
    name: told.statement === null ? (statement.block ? statement.name : statement.text.split(' ')[4]) : null,
  };
  // The height is what the file states; a chain source tells whether it is the block's.
  const block = told.block && { ...told.block, height: statement.block.height };
  return { ...told, block, claimed, amountSats: BigInt(told.amountSats), psbt: packed.slice(4 + length) };
}
