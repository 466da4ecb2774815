// For bundlers that make ES modules of WebAssembly, as vite-plugin-wasm does.

import * as instance from './psbt_wasm_bg.wasm';
import { __wbg_set_wasm, readPsbt as read, stripPsbt as strip } from './psbt_wasm_bg.js';
import { imported } from './imported.js';
import { readerOf } from './reader.js';

export { PsbtError } from './psbt.js';

__wbg_set_wasm(instance);
instance.__wbindgen_start();

const { recover, sound } = imported();

export const { readPsbt, stripPsbt } = readerOf(sound(read), sound(strip), recover);

const later = (name) => async (...parameters) => {
  const { tools } = await import('./bundler-tools.js');
  return tools[name](...parameters);
};

export const checkSignatures = later('checkSignatures');
export const checkProof = later('checkProof');
export const inspect = later('inspect');
export const recognize = later('recognize');
export const makeProof = later('makeProof');
export const combine = later('combine');
