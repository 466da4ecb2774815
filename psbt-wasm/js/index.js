// For browsers with a bundler: the module is fetched when this file is imported.

import { init } from './loaded.js';

export * from './api.js';

await init(new URL('./psbt_wasm_bg.wasm', import.meta.url));
