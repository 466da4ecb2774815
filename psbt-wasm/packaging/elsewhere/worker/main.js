import init, { checkSignatures, loadTools, makeProof, readPsbt } from 'psbt-wasm/web';
import first from 'psbt-wasm/psbt_wasm_bg.wasm';
import second from 'psbt-wasm/psbt_wasm_tools_bg.wasm';

export default {
  async fetch(request) {
    await init(first);
    await loadTools(second);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const { inputs } = readPsbt(bytes, 'mainnet');
    const { complete } = await checkSignatures(bytes);
    const { amountSats } = await makeProof(bytes, { statement: 'A line of my own', form: 'message' });
    return new Response(`${inputs.length} ${complete} ${amountSats}`);
  },
};
