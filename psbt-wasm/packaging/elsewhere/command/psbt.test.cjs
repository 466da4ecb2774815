// For Jest, which takes no ES modules.

const { readFileSync } = require('node:fs');
const { PsbtError, checkSignatures, init, makeProof, readPsbt } = require('psbt-wasm');
const sync = require('psbt-wasm/sync');

test('it reads, checks and makes', async () => {
  const bytes = readFileSync('wallet.psbt');
  await init();
  const { inputs } = readPsbt(bytes, 'mainnet');
  const { complete } = await checkSignatures(bytes);
  const { amountSats } = await makeProof(new Uint8Array(bytes), { statement: 'A line of my own', form: 'message' });
  const answer = `${inputs.length} ${complete} ${amountSats}`;
  console.log(answer);
  expect(answer).toBe('7 true 700000');
  expect(() => sync.readPsbt('cHNidP8=', 'mainnet')).toThrow(PsbtError);
});
