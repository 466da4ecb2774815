import { init as load } from './loaded.js';

export { PsbtError, readPsbt, stripPsbt } from './loaded.js';

export default function init(module = new URL('./psbt_wasm_bg.wasm', import.meta.url)) {
  return load(module);
}
