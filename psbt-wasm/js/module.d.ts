import type { ModuleSource } from './index.js';

/** What a tool makes of an imported module: its address, or the module itself. */
declare const source: ModuleSource;
export default source;
