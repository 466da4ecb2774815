// For bundlers that make ES modules of WebAssembly, as vite-plugin-wasm does.

import * as instance from './psbt_wasm_bg.wasm';
import { __wbg_set_wasm, readPsbt as read, writePsbt as write } from './psbt_wasm_bg.js';
import { imported } from './imported.js';
import { readerOf } from './reader.js';

export { PsbtError } from './psbt.js';

__wbg_set_wasm(instance);
instance.__wbindgen_start();

const { recover, sound } = imported();

const reader = readerOf(sound(read), sound(write), recover);

export const { readPsbt, stripPsbt } = reader;

export async function checkSignatures(bytes, options) {
  const checker = await import('./bundler-signatures.js');
  return checker.checkSignatures(bytes, options);
}

export async function checkProof(proof, origin, options) {
  const checker = await import('./bundler-signatures.js');
  return checker.checkProof(proof, origin, options);
}

export async function makeProof(bytes, options) {
  const maker = await import('./bundler-make.js');
  return maker.makeProof(reader.plainPsbt, bytes, options);
}

export async function combine(files) {
  const maker = await import('./bundler-make.js');
  return maker.combine(reader.plainPsbt, files);
}
