import { Address, OutScript, Transaction } from '@scure/btc-signer';
import { hex, model } from './hex.js';

export const about = { name: '@scure/btc-signer', checksTxid: true, version2: true };

export async function load() {
  const address = Address();
  const row = (valueSats, script) => ({
    valueSats,
    scriptPubKey: hex(script),
    address: address.encode(OutScript.decode(script)),
  });
  return (bytes) => {
    const transaction = Transaction.fromPSBT(bytes, { allowUnknown: true });
    const inputs = [];
    for (let index = 0; index < transaction.inputsLength; index += 1) {
      const input = transaction.getInput(index);
      const spent = input.witnessUtxo ?? input.nonWitnessUtxo.outputs[input.index];
      inputs.push({ txid: hex(input.txid), vout: input.index, ...row(spent.amount, spent.script) });
    }
    const outputs = [];
    for (let index = 0; index < transaction.outputsLength; index += 1) {
      const output = transaction.getOutput(index);
      outputs.push(row(output.amount, output.script));
    }
    return model(inputs, outputs);
  };
}
