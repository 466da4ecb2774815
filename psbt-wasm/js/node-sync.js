// As node.js, and nothing needs `init`.

import { readFileSync } from 'node:fs';
import { reader } from './modules.js';

export * from './node.js';

reader.findNowBy(() => readFileSync(new URL('./psbt_wasm_bg.wasm', import.meta.url)));
