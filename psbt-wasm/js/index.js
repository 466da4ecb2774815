// For browsers with a bundler: the module is fetched when this file is imported.

import { init } from './loaded.js';

export { PsbtError, checkProof, checkSignatures, combine, makeProof, readPsbt, stripPsbt, verifyMessage } from './loaded.js';

await init(new URL('./psbt_wasm_bg.wasm', import.meta.url));
