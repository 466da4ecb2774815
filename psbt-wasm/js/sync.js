// For what cannot load files or wait: the modules are in the scripts. A third larger to download than the other entries.

import first from './psbt_wasm_bg.inline.js';
import { log, reader, tools } from './modules.js';

export * from './api.js';

const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

reader.findNowBy(() => bytesOf(first));
tools.findBy(async () => bytesOf((await import('./psbt_wasm_tools_bg.inline.js')).default));
log.findBy(async () => bytesOf((await import('./psbt_wasm_log_bg.inline.js')).default));
