import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { checkSignatures as check, combine as unite, initFromBytes, makeProof as make } from './loaded.js';

export { PsbtError, readPsbt, stripPsbt } from './loaded.js';

initFromBytes(readFileSync(new URL('./psbt_wasm_bg.wasm', import.meta.url)));

export function checkSignatures(bytes) {
  return check(bytes, () => readFile(new URL('./psbt_wasm_signatures_bg.wasm', import.meta.url)));
}

const maker = () => readFile(new URL('./psbt_wasm_make_bg.wasm', import.meta.url));

export function makeProof(bytes, options) {
  return make(bytes, options, maker);
}

export function combine(files) {
  return unite(files, maker);
}
