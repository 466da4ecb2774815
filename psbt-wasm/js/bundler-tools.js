// The second module for bundlers that make ES modules of WebAssembly. Imported when one of its functions is first called.

import * as instance from './psbt_wasm_tools_bg.wasm';
import * as module from './psbt_wasm_tools_bg.js';
import { watchInstance } from './imported.js';
import { createTools } from './tools.js';

module.__wbg_set_wasm(instance);
instance.__wbindgen_start();

const { recover, unlessTrapped } = watchInstance();

const functions = Object.entries(module).map(([name, run]) => [name, unlessTrapped(run)]);

/** Its functions. `readPsbt` is that of the first module. */
export const toolsWith = (readPsbt) => createTools(Object.fromEntries(functions), recover, readPsbt);
