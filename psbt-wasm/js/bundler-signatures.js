// The second module for such bundlers. Imported when signatures are first checked.

import * as instance from './psbt_wasm_signatures_bg.wasm';
import { __wbg_set_wasm, checkProof as checkPublished, checkSignatures } from './psbt_wasm_signatures_bg.js';
import { CHECKED, take, understand } from './answers.js';
import { imported } from './imported.js';
import { publishedOf, toChecked } from './proof.js';

__wbg_set_wasm(instance);
instance.__wbindgen_start();

const { recover, sound } = imported();

understand(CHECKED, toChecked);

export { publishedOf, recover };

export const check = sound((bytes) => {
  checkSignatures(bytes);
  return take();
});

export const checkProof = sound((published) => {
  checkPublished(published);
  return take();
});
