// For browsers with a bundler: the module is fetched when this file is imported.

import { init } from './loaded.js';

export { PsbtError, checkProof, checkSignatures, combine, inspect, makeProof, readPsbt, recognize, stripPsbt } from './loaded.js';

await init(new URL('./psbt_wasm_bg.wasm', import.meta.url));
