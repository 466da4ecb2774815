// The second module for bundlers that make ES modules of WebAssembly. Imported when one of its functions is first called.

import * as instance from './psbt_wasm_tools_bg.wasm';
import * as module from './psbt_wasm_tools_bg.js';
import { imported } from './imported.js';
import { createTools } from './tools.js';

export const functions = imported(instance, module, (functions, recover) =>
  createTools(functions, recover, async () => (await import('./bundler-log.js')).functions),
);
