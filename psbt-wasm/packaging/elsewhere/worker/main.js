import init, { checkSignatures, loadMaker, loadSignatures, makeProof, readPsbt } from 'psbt-wasm/web';
import first from 'psbt-wasm/psbt_wasm_bg.wasm';
import maker from 'psbt-wasm/psbt_wasm_make_bg.wasm';
import signatures from 'psbt-wasm/psbt_wasm_signatures_bg.wasm';

export default {
  async fetch(request) {
    await init(first);
    await loadSignatures(signatures);
    await loadMaker(maker);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const { inputs } = readPsbt(bytes, 'mainnet');
    const { complete } = await checkSignatures(bytes);
    const { amountSats } = await makeProof(bytes, { statement: 'A line of my own', form: 'message' });
    return new Response(`${inputs.length} ${complete} ${amountSats}`);
  },
};
