const { readFileSync } = require('node:fs');
const { checkSignatures, init, makeProof, readPsbt } = require('psbt-wasm');

async function main() {
  const bytes = new Uint8Array(readFileSync('wallet.psbt'));
  await init();
  const { inputs } = readPsbt(bytes, 'mainnet');
  const { complete } = await checkSignatures(bytes);
  const { amountSats } = await makeProof(bytes, { statement: 'A line of my own', form: 'message' });
  console.log(`${inputs.length} ${complete} ${amountSats}`);
}

main();
