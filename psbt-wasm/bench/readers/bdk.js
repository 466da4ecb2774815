import { Address, Psbt, ScriptBuf } from '@metamask/bitcoindevkit';
import { model } from './hex.js';

export const about = { name: '@metamask/bitcoindevkit (BDK)', checksTxid: false, version2: false };

export async function load() {
  const row = ({ value, script_pubkey: scriptPubKey }) => {
    const handle = Address.from_script(ScriptBuf.from_hex(scriptPubKey), 'bitcoin');
    const address = handle.toString();
    handle.free();
    return { valueSats: BigInt(value), scriptPubKey, address };
  };
  return (bytes) => {
    const psbt = Psbt.from_string(base64(bytes));
    const { unsigned_tx: transaction, inputs } = JSON.parse(psbt.to_json());
    psbt.free();
    return model(
      transaction.input.map(({ previous_output: outpoint }, position) => {
        const [txid, vout] = outpoint.split(':');
        const { witness_utxo: witness, non_witness_utxo: previous } = inputs[position];
        return { txid, vout: Number(vout), ...row(witness ?? previous.output[vout]) };
      }),
      transaction.output.map(row),
    );
  };
}

/** For a reader that takes base64 only. */
function base64(bytes) {
  if (typeof Buffer !== 'undefined') return Buffer.from(bytes).toString('base64');
  if (bytes.toBase64) return bytes.toBase64();
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}
