import { address, Psbt, Transaction } from 'bitcoinjs-lib';
import { hex, model, reversedHex } from './hex.js';

// The library does not compare the txid of a previous transaction, so this adapter does.
export const about = { name: 'bitcoinjs-lib, txids checked', checksTxid: true, version2: false };

export async function load() {
  const row = (valueSats, script) => ({
    valueSats: BigInt(valueSats),
    scriptPubKey: hex(script),
    address: address.fromOutputScript(script),
  });
  return (bytes) => {
    const psbt = Psbt.fromBuffer(bytes);
    return model(
      psbt.txInputs.map(({ hash, index }, position) => {
        const { witnessUtxo, nonWitnessUtxo } = psbt.data.inputs[position];
        const txid = reversedHex(hash);
        let spent = witnessUtxo;
        if (nonWitnessUtxo) {
          const previous = Transaction.fromBuffer(nonWitnessUtxo);
          if (previous.getId() !== txid) throw new Error('another previous transaction');
          spent ??= previous.outs[index];
        }
        return { txid, vout: index, ...row(spent.value, spent.script) };
      }),
      psbt.txOutputs.map(({ value, script }) => row(value, script)),
    );
  };
}
