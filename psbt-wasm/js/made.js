// The JavaScript half of src/wasm/make.rs: what goes into the module, and what comes out of it.

import { MAX_FILE_BYTES, PsbtError, requireBytes } from './psbt.js';

/** Where the statement starts in what the module is told. */
const NUMBERS = 13;

/** The options of `makeProof`, checked, as src/wasm/make.rs reads them: flags, three numbers, and the statement. */
export function wantedOf(options) {
  const { statement, form, lockTime, derivations = 'all', split, part = 0 } = options ?? {};
  if (typeof statement !== 'string') throw new TypeError('The statement of a proof must be a string.');
  const counts = [lockTime, split, part].every((count) => count === undefined || isCount(count));
  if (!['transaction', 'message'].includes(form)) throw invalid('form must be transaction or message');
  if (!['all', 'first-ten'].includes(derivations)) throw invalid('derivations must be all or first-ten');
  if (!counts) throw invalid('lockTime, split and part must be whole numbers from 0 to 4294967295');
  const text = new TextEncoder().encode(statement);
  const wanted = new Uint8Array(NUMBERS + text.length);
  const view = new DataView(wanted.buffer);
  const flags = [form === 'message', derivations === 'first-ten', lockTime !== undefined, split !== undefined];
  flags.forEach((flag, place) => (wanted[0] |= flag << place));
  [lockTime, split, part].forEach((number, place) => view.setUint32(1 + 4 * place, number ?? 0, true));
  wanted.set(text, NUMBERS);
  return wanted;
}

const invalid = (rule) => new PsbtError('invalid-option', `The option ${rule}.`);

function isCount(number) {
  return Number.isInteger(number) && number >= 0 && number <= 0xffff_ffff;
}

/** Files one after the other, each after its length in 4 bytes, little endian. */
export function framed(files) {
  const all = Array.from(files);
  all.forEach(requireBytes);
  const length = all.reduce((length, file) => length + 4 + file.length, 0);
  if (length > MAX_FILE_BYTES) throw new PsbtError('file-too-large', 'The files are too large: together they can have 32 MiB.');
  const frames = new Uint8Array(length);
  const view = new DataView(frames.buffer);
  let at = 0;
  for (const file of all) {
    view.setUint32(at, file.length, true);
    frames.set(file, at + 4);
    at += 4 + file.length;
  }
  return frames;
}

/** A file, and what the JSON text before it says. */
export function toMade(packed) {
  const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  const told = JSON.parse(new TextDecoder().decode(packed.subarray(4, 4 + length)));
  const made = { psbt: packed.slice(4 + length), ...told };
  return 'amountSats' in told ? { ...made, amountSats: BigInt(told.amountSats) } : made;
}
