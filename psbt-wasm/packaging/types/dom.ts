// With the types of browsers, a module may be a Response or a URL.

import { extract, init, loadTools, makeProof, stripPsbt, type ProofOptions } from 'psbt-wasm';

export async function sources(module: WebAssembly.Module, response: Promise<Response>): Promise<void> {
  await init(new URL('https://example.org/psbt_wasm_bg.wasm'));
  await loadTools(response);
  await loadTools(module);
  await loadTools(new Request('https://example.org/psbt_wasm_tools_bg.wasm'));
}

/** Files to download. */
export async function downloads(bytes: Uint8Array, options: ProofOptions): Promise<Blob[]> {
  const made = await makeProof(bytes, options);
  return [new Blob([made.psbt]), new Blob([stripPsbt(bytes)]), new Blob([await extract(bytes)])];
}
