import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { initFromBytes, readBy } from './loaded.js';

export { PsbtError, checkProof, checkSignatures, combine, inspect, makeProof, readPsbt, recognize, stripPsbt } from './loaded.js';

initFromBytes(readFileSync(new URL('./psbt_wasm_bg.wasm', import.meta.url)));

readBy(() => readFile(new URL('./psbt_wasm_tools_bg.wasm', import.meta.url)));
