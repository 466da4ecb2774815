// From CommonJS.

import psbt = require('psbt-wasm');

export async function first(file: string): Promise<string> {
  await psbt.init();
  return psbt.readPsbt(file, 'mainnet').txid;
}
