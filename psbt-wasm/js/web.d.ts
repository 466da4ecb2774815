export * from './index.js';

/** What is global by this name, where it is: browsers, Node and workers are described by different libraries of types. */
type Global<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer Instance }> ? Instance : never;
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Instance } } } ? Instance : never;

/** Where the module is: its address, its content, its response, or the module itself, as some bundlers import it. */
export type ModuleSource =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Global<'URL'>
  | Global<'Request'>
  | Global<'Response'>
  | WasmModule;

/**
 * Loads the module; to be awaited once before the other functions are called. Calling it again does nothing.
 *
 * @param module where it is; if absent, the file beside this script
 */
export default function init(module?: ModuleSource | Promise<ModuleSource>): Promise<void>;

/**
 * Loads the second module, which {@link checkSignatures}, {@link checkProof}, {@link makeProof}, {@link combine} and {@link verifyMessage} need. To be called
 * only where that module is not beside this script, or to have it ready early.
 *
 * @param module where it is; if absent, the file beside this script
 */
export function loadTools(module?: ModuleSource | Promise<ModuleSource>): Promise<void>;
