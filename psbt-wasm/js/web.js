import {
  checkSignatures as check,
  combine as unite,
  init as load,
  loadMaker as openMaker,
  loadSignatures as open,
  makeProof as make,
} from './loaded.js';

export { PsbtError, readPsbt, stripPsbt } from './loaded.js';

export default async function init(module = new URL('./psbt_wasm_bg.wasm', import.meta.url)) {
  await load(await module);
}

export async function loadSignatures(module) {
  await open(module);
}

export async function loadMaker(module) {
  await openMaker(module);
}

export function checkSignatures(bytes) {
  return check(bytes);
}

export function makeProof(bytes, options) {
  return make(bytes, options);
}

export function combine(files) {
  return unite(files);
}
