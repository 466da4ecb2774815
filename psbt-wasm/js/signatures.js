// The second module: what needs an elliptic curve. Imported when signatures are first checked.

import load, {
  __wbg_reset_state as recover,
  checkProof as checkPublished,
  checkSignatures,
  initSync,
} from './psbt_wasm_signatures.js';
import { CHECKED, take, understand } from './answers.js';
import { publishedOf, toChecked } from './proof.js';

understand(CHECKED, toChecked);

export { publishedOf, recover };

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

export function checkProof(published) {
  checkPublished(published);
  return take();
}
