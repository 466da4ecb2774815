// The second module for such bundlers. Imported when signatures are first checked.

import * as instance from './psbt_wasm_signatures_bg.wasm';
import { __wbg_set_wasm, checkSignatures } from './psbt_wasm_signatures_bg.js';
import { take } from './answers.js';
import { imported } from './imported.js';

__wbg_set_wasm(instance);
instance.__wbindgen_start();

const { recover, sound } = imported();

export { recover };

export const check = sound((bytes) => {
  checkSignatures(bytes);
  return take();
});
