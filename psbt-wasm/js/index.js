// For browsers with a bundler: the module is fetched when this file is imported.

import { checkSignatures as check, combine as unite, init, makeProof as make } from './loaded.js';

export { PsbtError, readPsbt, stripPsbt } from './loaded.js';

await init(new URL('./psbt_wasm_bg.wasm', import.meta.url));

export function checkSignatures(bytes) {
  return check(bytes);
}

export function makeProof(bytes, options) {
  return make(bytes, options);
}

export function combine(files) {
  return unite(files);
}
