// The second module, found by its address. Imported when one of its functions is first called.

import load, * as module from './psbt_wasm_tools.js';
import { createTools } from './tools.js';

/** Its functions. `readPsbt` is that of the first module. */
export const toolsWith = (readPsbt) => createTools(module, module.__wbg_reset_state, readPsbt);

export async function init(source = new URL('./psbt_wasm_tools_bg.wasm', import.meta.url)) {
  await load({ module_or_path: source });
}

export function initFromBytes(bytes) {
  module.initSync({ module: bytes });
}
