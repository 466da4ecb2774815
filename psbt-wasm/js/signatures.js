// The second module: what needs an elliptic curve. Imported when signatures are first checked.

import load, {
  __wbg_reset_state as recover,
  checkProof as proof,
  checkSignatures as signatures,
  goOn,
  initSync,
} from './psbt_wasm_signatures.js';
import { checkerOf } from './checker.js';

export const { checkSignatures, checkProof } = checkerOf(signatures, proof, goOn, recover);

export async function init(source = new URL('./psbt_wasm_signatures_bg.wasm', import.meta.url)) {
  await load({ module_or_path: source });
}

export function initFromBytes(bytes) {
  initSync({ module: bytes });
}
