// The third module: makes proofs, and puts together what several signers give back. Imported when one is first made.

import load, { __wbg_reset_state as recover, combine as unite, initSync, makeProof as make } from './psbt_wasm_make.js';
import { makerOf } from './maker.js';

export const { makeProof, combine } = makerOf(make, unite, recover);

export async function init(source = new URL('./psbt_wasm_make_bg.wasm', import.meta.url)) {
  await load({ module_or_path: source });
}

export function initFromBytes(bytes) {
  initSync({ module: bytes });
}
