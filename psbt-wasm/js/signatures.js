// The second module: what needs an elliptic curve. Imported when signatures are first checked.

import load, {
  __wbg_reset_state as recover,
  checkSignatures,
  initSync,
} from './psbt_wasm_signatures.js';
import { take } from './answers.js';

export { recover };

export async function init(source = new URL('./psbt_wasm_signatures_bg.wasm', import.meta.url)) {
  await load({ module_or_path: source });
}

export function initFromBytes(bytes) {
  initSync({ module: bytes });
}

export function check(bytes) {
  checkSignatures(bytes);
  return take();
}
