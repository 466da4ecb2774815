// For bundlers that make ES modules of WebAssembly, as vite-plugin-wasm does.

import * as instance from './psbt_wasm_bg.wasm';
import { __wbg_set_wasm, readPsbt as read, stripPsbt as strip } from './psbt_wasm_bg.js';
import { watchInstance } from './imported.js';
import { createReader } from './reader.js';

export { PsbtError } from './psbt.js';

__wbg_set_wasm(instance);
instance.__wbindgen_start();

const { recover, unlessTrapped } = watchInstance();

export const { readPsbt, stripPsbt } = createReader(unlessTrapped(read), unlessTrapped(strip), recover);

let tools = null;

const later = (name) => async (...parameters) => {
  const { toolsWith } = await import('./bundler-tools.js');
  tools ??= toolsWith(readPsbt);
  return tools[name](...parameters);
};

export const checkProof = later('checkProof');
export const checkSignatures = later('checkSignatures');
export const combine = later('combine');
export const convert = later('convert');
export const extract = later('extract');
export const inspect = later('inspect');
export const makeProof = later('makeProof');
export const normalizeWords = later('normalizeWords');
export const readProof = later('readProof');
export const readerProof = later('readerProof');
export const readerStatement = later('readerStatement');
export const recognize = later('recognize');
export const verifyMessage = later('verifyMessage');
