// The JavaScript half of src/wasm/tools/proof.rs.

import { isForReader, READER } from './for-reader.js';
import { frame, unpack } from './frames.js';
import { MAX_FILE_BYTES, PsbtError } from './psbt.js';

const HEX = /^[0-9a-f]*$/i;

/** As in src/signatures/work.rs. */
const MAX_CHECKS = 40_000;

/** How many signatures may be tried, by the options of a check. */
export function readMaxChecks(options) {
  const { maxChecks = MAX_CHECKS } = options ?? {};
  if (!Number.isInteger(maxChecks) || maxChecks < 0 || maxChecks > MAX_CHECKS) {
    throw new PsbtError('invalid-option', `maxChecks must be a whole number from 0 to ${MAX_CHECKS}.`);
  }
  return maxChecks;
}

/** No transaction is longer than a block (BIP-0141). */
export const MAX_TRANSACTION_BYTES = 4_000_000;

/** What a proof with a longer one is refused with. */
export function tooLarge() {
  return new PsbtError('file-too-large', 'The proof is too large: its transaction can have 4 MB, and all of it 32 MiB.');
}

/** Encodes the proof as a board publishes it, and the origin of the board that was asked, for src/wasm/tools/proof.rs. */
export function encodeProof(proof, origin) {
  const { binding, inputs, statement, transaction } = proof ?? {};
  if (!['message', 'transaction'].includes(binding) || !Array.isArray(inputs)) throw malformed();
  const { nonce, origin: own, provider, subject, account_id: account, text, name, block } = statement ?? {};
  const texts = [origin, own, provider, subject, account, text, block ? name : '', binding];
  const header = block ? block.header : '';
  measure(transaction, texts.concat(nonce, header, inputs.flatMap((input) => [input?.txid, input?.script_pubkey])));

  const encoder = new TextEncoder();
  return frame([
    ...texts.map((text) => encoder.encode(text)),
    bytesOf(nonce, 16),
    block ? bytesOf(header, 80) : new Uint8Array(),
    bytesOf(transaction),
    ...inputs.map(encodeCoin),
  ]);
}

/** Before anything is converted. */
function measure(transaction, others) {
  let length = 0;
  for (const text of [transaction, ...others]) {
    if (typeof text !== 'string') throw malformed();
    length += text.length;
  }
  if (transaction.length > 2 * MAX_TRANSACTION_BYTES || length > MAX_FILE_BYTES) throw tooLarge();
}

/** Outpoint, value and script of a coin. */
function encodeCoin({ txid, vout, value_sats: sats, script_pubkey: script }) {
  if (vout >>> 0 !== vout || !Number.isSafeInteger(sats) || sats < 0) throw malformed();
  const scriptBytes = bytesOf(script);
  const coin = new Uint8Array(44 + scriptBytes.length);
  const view = new DataView(coin.buffer);
  coin.set(bytesOf(txid, 32).reverse());
  view.setUint32(32, vout, true);
  view.setBigUint64(36, BigInt(sats), true);
  coin.set(scriptBytes, 44);
  return coin;
}

function bytesOf(hex, length = hex.length / 2) {
  if (hex.length !== 2 * length || hex.length % 2 || !HEX.test(hex)) throw malformed();
  const digit = (at) => (hex.charCodeAt(at) & 15) + (hex.charCodeAt(at) > 57 ? 9 : 0);
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) bytes[at] = digit(2 * at) * 16 + digit(2 * at + 1);
  return bytes;
}

const malformed = () => new PsbtError('malformed-proof', 'This is not a published proof, or parts of it are missing.');

/** What is known of the proof, what it claims, and the PSBT that the first module reads. */
export function decodeCheck(packed, { statement }) {
  const check = unpack(packed);
  if (statement.origin === READER && !isForReader(statement)) check.statement ??= 'other-statement';
  const claimed = {
    confirmed: false,
    origin: statement.origin,
    provider: statement.provider,
    subject: statement.subject,
    accountId: statement.account_id,
    // The full name, to which a dated code commits; else the fifth word of a statement that has the right form.
    name: check.statement === null ? (statement.block ? statement.name : statement.text.split(' ')[4]) : null,
  };
  // The height is what the file states; only a chain source confirms it.
  const block = check.block && { ...check.block, height: statement.block.height };
  return { ...check, block, claimed };
}
