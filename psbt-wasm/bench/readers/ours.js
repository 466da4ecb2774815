import { init, readPsbt } from 'psbt-wasm';

export const about = { name: 'psbt-wasm', ours: true, checksTxid: true, version2: true };

export async function load() {
  await init();
  return (bytes) => readPsbt(bytes, 'mainnet');
}
