// The JavaScript half of src/wasm/tools/make.rs.

import { invalidOption, requireOptions } from './psbt.js';

/** Where the statement starts in the encoded options. */
const NUMBERS = 13;

/** Checks the options of `makeProof`, and encodes them for src/wasm/tools/make.rs: flags, three numbers, and the statement. */
export function encodeOptions(options) {
  requireOptions(options, ['statement', 'form', 'lockTime', 'derivations', 'version', 'split', 'part']);
  const { statement, form, lockTime, derivations = 'all', version = 0, split, part = 0 } = options ?? {};
  if (typeof statement !== 'string') throw new TypeError('The statement of a proof must be a string.');
  if (!['transaction', 'message'].includes(form)) throw invalid('form must be transaction or message');
  if (!['all', 'first-ten'].includes(derivations)) throw invalid('derivations must be all or first-ten');
  if (![lockTime, split, part].every((count) => count === undefined || isCount(count))) {
    throw invalid('lockTime, split and part must be whole numbers from 0 to 4294967295');
  }
  const text = new TextEncoder().encode(statement);
  const encoded = new Uint8Array(NUMBERS + text.length);
  const view = new DataView(encoded.buffer);
  const flags = [form === 'message', derivations === 'first-ten', lockTime !== undefined, split !== undefined, versionOf(version) === 2];
  flags.forEach((flag, place) => (encoded[0] |= flag << place));
  [lockTime, split, part].forEach((number, place) => view.setUint32(1 + 4 * place, number ?? 0, true));
  encoded.set(text, NUMBERS);
  return encoded;
}

/** The version of a PSBT that is asked for. */
export function versionOf(version) {
  if (version !== 0 && version !== 2) throw invalid('version must be 0 or 2');
  return version;
}

const invalid = (rule) => invalidOption(`The option ${rule}.`);

function isCount(number) {
  return Number.isInteger(number) && number >= 0 && number <= 0xffff_ffff;
}
