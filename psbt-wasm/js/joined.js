// The JavaScript half of src/wasm/tools/joined.rs.

import { frame } from './frames.js';
import { bytesOfHex, invalidOption, isHex, requireOptions } from './psbt.js';

/** Bytes of a coin: outpoint, value, and whether it counts. */
const COIN = 36 + 8 + 1;

/** Encodes files and options of `joinProofs`. */
export function encodeFiles(files, options) {
  requireOptions(options, ['oneClient']);
  const frames = files.map(({ network, status, sha256, request, name, coins }) => {
    if (!isHex(sha256)) throw invalidOption('sha256 must be hexadecimal text.');
    return [network, status, bytesOfHex(sha256), request, name, encodeCoins(coins)];
  });
  return frame([Uint8Array.of(options?.oneClient === true ? 1 : 0), ...frames.flat()]);
}

function encodeCoins(coins) {
  const bytes = new Uint8Array(COIN * coins.length);
  const view = new DataView(bytes.buffer);
  coins.forEach(({ txid, vout, valueSats, counts }, at) => {
    if (!isHex(txid) || txid.length !== 64) throw invalidOption('txid must have 64 hexadecimal digits.');
    const start = COIN * at;
    bytes.set(bytesOfHex(txid).reverse(), start);
    view.setUint32(start + 32, vout, true);
    view.setBigUint64(start + 36, valueSats, true);
    bytes[start + 44] = counts ? 1 : 0;
  });
  return bytes;
}

const toBigInt = (sats) => (sats === null ? null : BigInt(sats));

/** The object of what the module found about these files. */
export function toJoint({ names, total, shared, ...joint }, files) {
  return {
    ...joint,
    names: names.map(({ amountSats, ...name }) => ({ ...name, amountSats: toBigInt(amountSats) })),
    amountSats: toBigInt(total),
    shared: shared.map(({ files: of, coin }) => {
      const { txid, vout } = files[of[0]].coins[coin];
      return { txid, vout, files: of };
    }),
  };
}
