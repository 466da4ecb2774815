export * from './api.js';

/** Where a module is: its address, its content, its response, or the module itself, as some bundlers import it. */
export type ModuleSource =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Global<'URL'>
  | Global<'Request'>
  | Global<'Response'>
  | WasmModule;

/** The type of a global of this name, if there is one: browsers, Node and workers have different type libraries. */
type Global<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer Instance }> ? Instance : never;
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Instance } } } ? Instance : never;

/**
 * Loads the module of `readPsbt` and `stripPsbt`, which do not wait. All other functions load what they need. Calling it again
 * does nothing. With `psbt-wasm/sync` it is not needed.
 *
 * @param module where it is; by default the file beside this script
 */
export function init(module?: ModuleSource | Promise<ModuleSource>): Promise<void>;

/**
 * Loads the module of all functions that return promises. Call it only if that module is not beside this script, or to have it ready
 * early.
 *
 * @param module where it is; by default the file beside this script
 */
export function loadTools(module?: ModuleSource | Promise<ModuleSource>): Promise<void>;

/**
 * Loads the module that checks a board's note: `checkProof` needs it when it is given `keys`. Call it only if that module is not beside this
 * script, or to have it ready early.
 *
 * @param module where it is; by default the file beside this script
 */
export function loadLog(module?: ModuleSource | Promise<ModuleSource>): Promise<void>;
