// The JavaScript half of src/wasm/tools/inspect.rs and src/wasm/tools/derivations.rs.

import { fromJson } from './frames.js';
import { invalidOption, isHex, requireOptions } from './psbt.js';
import { networkOf } from './report.js';

/** The network in the options of `inspect`. */
export function networkIn(options) {
  requireOptions(options, ['network', 'whole']);
  return networkOf(options?.network ?? 'mainnet');
}

export const wantsAll = (options) => Boolean(options?.whole);

/** Derivations with the outputs that are those of the fingerprint in the options. */
export function withOwn(json, options) {
  requireOptions(options, ['fingerprint']);
  const fingerprint = options?.fingerprint?.toLowerCase?.();
  if (options?.fingerprint !== undefined && !(isHex(fingerprint) && fingerprint.length === 8)) {
    throw invalidOption('fingerprint must be 8 hexadecimal digits.');
  }
  const found = fromJson(json);
  const own = found.outputs.flatMap((list, index) => (list.some((one) => one.fingerprint === fingerprint) ? [index] : []));
  return { ...found, own };
}
