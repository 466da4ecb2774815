import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { initFromBytes, readBy } from './loaded.js';

export { PsbtError, checkProof, checkSignatures, combine, makeProof, readPsbt, stripPsbt } from './loaded.js';

initFromBytes(readFileSync(new URL('./psbt_wasm_bg.wasm', import.meta.url)));

readBy({
  signatures: () => readFile(new URL('./psbt_wasm_signatures_bg.wasm', import.meta.url)),
  make: () => readFile(new URL('./psbt_wasm_make_bg.wasm', import.meta.url)),
});
