// The second module for such bundlers. Imported when one of its functions is first called.

import * as instance from './psbt_wasm_tools_bg.wasm';
import { __wbg_set_wasm, checkProof, checkSignatures, combine, goOn, inspect, makeProof, recognize } from './psbt_wasm_tools_bg.js';
import { readPsbt } from './bundler.js';
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
    inspect: sound(inspect),
    makeProof: sound(makeProof),
    recognize: sound(recognize),
  },
  recover,
  readPsbt,
);
