// For platforms that make WebAssembly.Module objects of imported modules, as Cloudflare's workers and edge functions do.

import first from './psbt_wasm_bg.wasm';
import second from './psbt_wasm_tools_bg.wasm';
import third from './psbt_wasm_log_bg.wasm';
import { log, reader, tools } from './modules.js';

export * from './api.js';

reader.findNowBy(() => first);
tools.findBy(() => second);
log.findBy(() => third);
