import { checkSignatures, init, makeProof, readPsbt } from 'psbt-wasm';

export async function answers(bytes) {
  await init();
  const { inputs } = readPsbt(bytes, 'mainnet');
  const { complete } = await checkSignatures(bytes);
  const { amountSats } = await makeProof(bytes, { statement: 'A line of my own', form: 'message' });
  return `${inputs.length} ${complete} ${amountSats}`;
}
