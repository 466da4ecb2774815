// The third module for bundlers that make ES modules of WebAssembly. Imported when a log is first checked.

import * as instance from './psbt_wasm_log_bg.wasm';
import * as module from './psbt_wasm_log_bg.js';
import { imported } from './imported.js';
import { createLog } from './log.js';

export const functions = imported(instance, module, createLog);
