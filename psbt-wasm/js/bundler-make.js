// The third module for such bundlers. Imported when a proof is first made.

import * as instance from './psbt_wasm_make_bg.wasm';
import { __wbg_set_wasm, combine as unite, makeProof as make } from './psbt_wasm_make_bg.js';
import { imported } from './imported.js';
import { makerOf } from './maker.js';

__wbg_set_wasm(instance);
instance.__wbindgen_start();

const { recover, sound } = imported();

export const { makeProof, combine } = makerOf(sound(make), sound(unite), recover);
