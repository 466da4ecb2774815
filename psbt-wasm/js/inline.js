// For what cannot load files: the modules are in the scripts. A third larger to download than the other entries.

import { init, readBy } from './loaded.js';
import first from './psbt_wasm_bg.inline.js';

export { PsbtError, checkProof, checkSignatures, combine, inspect, makeProof, readPsbt, recognize, stripPsbt } from './loaded.js';

const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

await init(bytesOf(first));

readBy(async () => bytesOf((await import('./psbt_wasm_tools_bg.inline.js')).default));
