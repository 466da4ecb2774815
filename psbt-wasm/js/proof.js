// The JavaScript half of src/wasm/tools/proof.rs.

import { isForReader, READER } from './for-reader.js';
import { frame, unpack } from './frames.js';
import { PsbtError, bytesOf, invalidOption, requireOptions } from './psbt.js';

/** As in src/signatures/work.rs. */
const MAX_CHECKS = 40_000;

/** How many signatures may be tried, by the options of a check. A proof has keys as well. */
export function readMaxChecks(options, others = []) {
  requireOptions(options, ['maxChecks', 'signal', ...others]);
  const { maxChecks = MAX_CHECKS } = options ?? {};
  if (!Number.isInteger(maxChecks) || maxChecks < 0 || maxChecks > MAX_CHECKS) {
    throw invalidOption(`maxChecks must be a whole number from 0 to ${MAX_CHECKS}.`);
  }
  return maxChecks;
}

/** No transaction is longer than a block (BIP-0141). */
export const MAX_TRANSACTION_BYTES = 4_000_000;

/** What a proof with a longer one is refused with. */
export function tooLarge() {
  return new PsbtError('file-too-large', 'The transaction of the proof is too large: it can have 4 MB.');
}

/** The origin of the board that was asked and a proof file, for src/wasm/tools/proof.rs. */
export function encodeProof(file, origin) {
  return frame([origin, file].map(bytesOf));
}

/** The object of a proof file that the module has accepted: such a text can be read in one way only. */
export function parseAccepted(file) {
  return JSON.parse(typeof file === 'string' ? file : new TextDecoder().decode(bytesOf(file)));
}

/** What is known of the proof, what it claims, and the PSBT that the first module reads. */
export function decodeCheck(packed, file) {
  const check = unpack(packed);
  const proof = parseAccepted(file);
  const { statement } = proof;
  if (statement.origin === READER && !isForReader(statement)) check.statement ??= 'other-statement';
  const claimed = {
    confirmed: false,
    origin: statement.origin,
    provider: statement.provider,
    subject: statement.subject,
    accountId: statement.account_id,
    // The full name, to which the code commits.
    name: check.statement === null ? statement.name : null,
  };
  // The height is what the file states; only a chain source confirms it.
  return { ...check, proof, block: { ...check.block, height: statement.block.height }, claimed };
}
