// The second module for such bundlers. Imported when signatures are first checked.

import * as instance from './psbt_wasm_signatures_bg.wasm';
import { __wbg_set_wasm, checkProof as proof, checkSignatures as signatures, goOn } from './psbt_wasm_signatures_bg.js';
import { checkerOf } from './checker.js';
import { imported } from './imported.js';

__wbg_set_wasm(instance);
instance.__wbindgen_start();

const { recover, sound } = imported();

export const { checkSignatures, checkProof } = checkerOf(sound(signatures), sound(proof), sound(goOn), recover);
