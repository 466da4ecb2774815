import { checkSignatures, makeProof, readPsbt } from 'psbt-wasm';

export default {
  async fetch(request) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    const { inputs } = readPsbt(bytes, 'mainnet');
    const { complete } = await checkSignatures(bytes);
    const { amountSats } = await makeProof(bytes, { statement: 'A line of my own', form: 'message' });
    return new Response(`${inputs.length} ${complete} ${amountSats}`);
  },
};
