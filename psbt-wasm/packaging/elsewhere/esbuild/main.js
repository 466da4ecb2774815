import init, { checkSignatures, loadMaker, loadSignatures, makeProof, readPsbt } from 'psbt-wasm/web';
import first from 'psbt-wasm/psbt_wasm_bg.wasm';
import maker from 'psbt-wasm/psbt_wasm_make_bg.wasm';
import signatures from 'psbt-wasm/psbt_wasm_signatures_bg.wasm';

await init(new URL(first, import.meta.url));
await loadSignatures(new URL(signatures, import.meta.url));
await loadMaker(new URL(maker, import.meta.url));

window.answers = async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const { inputs } = readPsbt(bytes, 'mainnet');
  const { complete } = await checkSignatures(bytes);
  const { amountSats } = await makeProof(bytes, { statement: 'A line of my own', form: 'message' });
  return `${inputs.length} ${complete} ${amountSats}`;
};
