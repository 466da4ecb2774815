import { checkSignatures } from 'psbt-wasm';

export const about = { name: 'psbt-wasm', ours: true };

export async function load() {
  return async (bytes) => (await checkSignatures(bytes)).inputs.map(({ status }) => status === 'valid');
}
