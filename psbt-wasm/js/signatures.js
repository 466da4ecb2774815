// The second module: what needs an elliptic curve. Imported when signatures are first checked.

import load, {
  __wbg_reset_state as recover,
  checkSignatures,
  initSync,
} from './psbt_wasm_signatures.js';

export { recover };

export async function init(source = new URL('./psbt_wasm_signatures_bg.wasm', import.meta.url)) {
  await load({ module_or_path: source });
}

export function initFromBytes(bytes) {
  initSync({ module: bytes });
}

/** The module has an error class of its own; callers know only the one of the first module. */
export function check(bytes, PsbtError) {
  try {
    return checkSignatures(bytes);
  } catch (error) {
    if (error?.name !== 'PsbtError') throw error;
    throw new PsbtError(error.code, error.message, error.input);
  }
}
