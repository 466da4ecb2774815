import { checkSignatures, init, makeProof, PsbtError, readPsbt, stripPsbt } from 'psbt-wasm';

export async function answers(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  await init();
  const { inputs, totalInputSats } = readPsbt(bytes, 'mainnet');
  const { complete } = await checkSignatures(bytes);
  const stripped = readPsbt(stripPsbt(bytes), 'mainnet');
  const made = await makeProof(bytes, { statement: 'A line of my own', form: 'message' });
  let code = null;
  try {
    readPsbt(new Uint8Array(5), 'mainnet');
  } catch (error) {
    code = error instanceof PsbtError ? error.code : String(error);
  }
  return { inputs: inputs.length, totalInputSats: String(totalInputSats), complete, private: stripped.privateFields, coins: made.inputCount, code };
}
