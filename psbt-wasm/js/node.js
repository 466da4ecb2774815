import { readFile } from 'node:fs/promises';
import { log, reader, tools } from './modules.js';

export * from './api.js';

reader.findBy(() => readFile(new URL('./psbt_wasm_bg.wasm', import.meta.url)));
tools.findBy(() => readFile(new URL('./psbt_wasm_tools_bg.wasm', import.meta.url)));
log.findBy(() => readFile(new URL('./psbt_wasm_log_bg.wasm', import.meta.url)));
