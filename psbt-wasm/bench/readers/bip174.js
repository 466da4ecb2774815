import { Psbt } from 'bip174';
import { address } from 'bitcoinjs-lib';
import { hex, model, reversedHex } from './hex.js';

export const about = { name: 'bip174', checksTxid: false, version2: false };

/** The package leaves the transaction to its user. This reads what is needed, and no more. */
class UnsignedTransaction {
  constructor(bytes) {
    this.bytes = bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 4;
    const size = () => {
      const first = bytes[at];
      at += 1;
      if (first < 0xfd) return first;
      at += first === 0xfd ? 2 : 4;
      return first === 0xfd ? view.getUint16(at - 2, true) : view.getUint32(at - 4, true);
    };
    const script = () => {
      const length = size();
      at += length;
      return bytes.subarray(at - length, at);
    };
    this.inputs = Array.from({ length: size() }, () => {
      const txid = reversedHex(bytes.subarray(at, at + 32));
      const vout = view.getUint32(at + 32, true);
      at += 36;
      script();
      at += 4;
      return { txid, vout };
    });
    this.outputs = Array.from({ length: size() }, () => {
      const value = view.getBigUint64(at, true);
      at += 8;
      return { value, script: script() };
    });
  }

  getInputOutputCounts() {
    return { inputCount: this.inputs.length, outputCount: this.outputs.length };
  }

  toBuffer() {
    return this.bytes;
  }
}

export async function load() {
  const row = (valueSats, script) => ({
    valueSats: BigInt(valueSats),
    scriptPubKey: hex(script),
    address: address.fromOutputScript(script),
  });
  return (bytes) => {
    let transaction;
    const psbt = Psbt.fromBuffer(bytes, (buffer) => (transaction = new UnsignedTransaction(buffer)));
    return model(
      transaction.inputs.map(({ txid, vout }, position) => {
        const { value, script } = psbt.inputs[position].witnessUtxo;
        return { txid, vout, ...row(value, script) };
      }),
      transaction.outputs.map(({ value, script }) => row(value, script)),
    );
  };
}
