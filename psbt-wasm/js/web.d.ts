export * from './index.js';

/** Where the module is: its address, its content, or its response. */
export type ModuleSource = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/**
 * Loads the module; to be awaited once before the other functions are called. Calling it again does nothing.
 *
 * @param module where it is; if absent, the file beside this script
 */
export default function init(module?: ModuleSource | Promise<ModuleSource>): Promise<void>;

/**
 * Loads the second module, which {@link checkSignatures} needs. To be called only where that module is not
 * beside this script, or to have it ready early.
 *
 * @param module where it is; if absent, the file beside this script
 */
export function loadSignatures(module?: ModuleSource | Promise<ModuleSource>): Promise<void>;

/**
 * Loads the third module, which {@link makeProof} and {@link combine} need. To be called only where that module is not beside this
 * script, or to have it ready early.
 *
 * @param module where it is; if absent, the file beside this script
 */
export function loadMaker(module?: ModuleSource | Promise<ModuleSource>): Promise<void>;
