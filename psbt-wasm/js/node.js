import { readFileSync } from 'node:fs';
import { initFromBytes } from './loaded.js';

initFromBytes(readFileSync(new URL('./psbt_wasm_bg.wasm', import.meta.url)));

export { PsbtError, readPsbt, stripPsbt } from './loaded.js';
