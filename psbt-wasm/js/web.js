import { checkSignatures as check, init as load, loadSignatures as open } from './loaded.js';

export { PsbtError, readPsbt, stripPsbt } from './loaded.js';

export default async function init(module = new URL('./psbt_wasm_bg.wasm', import.meta.url)) {
  await load(await module);
}

export async function loadSignatures(module) {
  await open(module);
}

export function checkSignatures(bytes) {
  return check(bytes);
}
