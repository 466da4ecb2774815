import { address, Psbt, Transaction } from '@bitgo/wasm-utxo';
import { hex, model } from './hex.js';

// It does not show previous transactions, so files without witness UTXOs are beyond it.
export const about = { name: '@bitgo/wasm-utxo', checksTxid: false, version2: false };

export async function load() {
  const row = ({ value, script }) => ({
    valueSats: value,
    scriptPubKey: hex(script),
    address: address.fromOutputScriptWithCoin(script, 'btc'),
  });
  return (bytes) => {
    const psbt = Psbt.deserialize(bytes);
    const transaction = Transaction.fromBytes(psbt.getUnsignedTx());
    const spent = psbt.getInputs();
    const inputs = transaction.getInputs().map(({ previousOutput: { txid, vout } }, position) => ({
      txid,
      vout,
      ...row(spent[position].witnessUtxo),
    }));
    const read = model(inputs, psbt.getOutputs().map(row));
    transaction.wasm.free();
    psbt.wasm.free();
    return read;
  };
}
