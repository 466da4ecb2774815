// Where the types of browsers are, a module may be what browsers have.

import init, { loadMaker, loadSignatures } from 'psbt-wasm/web';

export async function sources(module: WebAssembly.Module, response: Promise<Response>): Promise<void> {
  await init(new URL('https://example.org/psbt_wasm_bg.wasm'));
  await loadSignatures(response);
  await loadMaker(module);
  await loadMaker(new Request('https://example.org/psbt_wasm_make_bg.wasm'));
}
