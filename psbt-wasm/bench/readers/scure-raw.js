import { Address, OutScript } from '@scure/btc-signer';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { hex, model } from './hex.js';

export const about = { name: '@scure/btc-signer RawPSBTV0', checksTxid: false, version2: false };

export async function load() {
  const address = Address();
  const row = (valueSats, script) => ({
    valueSats,
    scriptPubKey: hex(script),
    address: address.encode(OutScript.decode(script)),
  });
  return (bytes) => {
    const { global, inputs } = RawPSBTV0.decode(bytes);
    const { unsignedTx } = global;
    return model(
      unsignedTx.inputs.map(({ txid, index }, position) => {
        const { witnessUtxo, nonWitnessUtxo } = inputs[position];
        const spent = witnessUtxo ?? nonWitnessUtxo.outputs[index];
        return { txid: hex(txid), vout: index, ...row(spent.amount, spent.script) };
      }),
      unsignedTx.outputs.map(({ amount, script }) => row(amount, script)),
    );
  };
}
