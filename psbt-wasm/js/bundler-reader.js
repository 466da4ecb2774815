// The first module for bundlers that make ES modules of WebAssembly. Imported by `init`.

import * as instance from './psbt_wasm_bg.wasm';
import * as module from './psbt_wasm_bg.js';
import { imported } from './imported.js';
import { createReader } from './reader.js';

export const functions = imported(instance, module, createReader);
