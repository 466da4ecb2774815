import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { checkSignatures as check, initFromBytes } from './loaded.js';

export { PsbtError, readPsbt, stripPsbt } from './loaded.js';

initFromBytes(readFileSync(new URL('./psbt_wasm_bg.wasm', import.meta.url)));

export function checkSignatures(bytes) {
  return check(bytes, () => readFile(new URL('./psbt_wasm_signatures_bg.wasm', import.meta.url)));
}
