// The second module, found by its address: what checks, makes and puts together. Imported when one of these is first asked for.

import load, * as module from './psbt_wasm_tools.js';
import { readPsbt } from './loaded.js';
import { toolsOf } from './tools.js';

export const tools = toolsOf(module, module.__wbg_reset_state, readPsbt);

export async function init(source = new URL('./psbt_wasm_tools_bg.wasm', import.meta.url)) {
  await load({ module_or_path: source });
}

export function initFromBytes(bytes) {
  module.initSync({ module: bytes });
}
