// For platforms that make WebAssembly.Module objects of imported modules, as Cloudflare's workers and edge functions do.

import first from './psbt_wasm_bg.wasm';
import second from './psbt_wasm_tools_bg.wasm';
import { initFromBytes, readBy } from './loaded.js';

export { PsbtError, checkProof, checkSignatures, combine, inspect, makeProof, readPsbt, recognize, stripPsbt } from './loaded.js';

initFromBytes(first);

readBy(() => second);
