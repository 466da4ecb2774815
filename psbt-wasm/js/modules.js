// The modules of the package.

import * as readerGlue from './psbt_wasm.js';
import * as toolsGlue from './psbt_wasm_tools.js';
import * as logGlue from './psbt_wasm_log.js';
import { loadable } from './loadable.js';
import { createLog } from './log.js';
import { createReader } from './reader.js';
import { createTools } from './tools.js';

/** Small: `readPsbt` and `stripPsbt`, which do not wait. */
export const reader = /* @__PURE__ */ loadable(readerGlue, createReader);

/** All functions that return promises. */
export const tools = /* @__PURE__ */ loadable(toolsGlue, (module, recover) => createTools(module, recover, () => log.load()));

/** The checks of a board's log, of which a proof's note needs some. */
export const log = /* @__PURE__ */ loadable(logGlue, createLog);
