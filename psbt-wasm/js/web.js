import { init as load, loadTools as open } from './loaded.js';

export { PsbtError, checkProof, checkSignatures, combine, inspect, makeProof, readPsbt, recognize, stripPsbt } from './loaded.js';

export default async function init(module = new URL('./psbt_wasm_bg.wasm', import.meta.url)) {
  await load(await module);
}

export async function loadTools(module) {
  await open(module);
}
