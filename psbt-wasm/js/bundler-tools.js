// The second module for such bundlers. Imported when one of its functions is first called.

import * as instance from './psbt_wasm_tools_bg.wasm';
import { __wbg_set_wasm, checkProof, checkSignatures, combine, goOn, makeProof, verifyMessage } from './psbt_wasm_tools_bg.js';
import { imported } from './imported.js';
import { toolsOf } from './tools.js';

__wbg_set_wasm(instance);
instance.__wbindgen_start();

const { recover, sound } = imported();

export const tools = toolsOf(
  {
    checkProof: sound(checkProof),
    checkSignatures: sound(checkSignatures),
    combine: sound(combine),
    goOn: sound(goOn),
    makeProof: sound(makeProof),
    verifyMessage: sound(verifyMessage),
  },
  recover,
);
