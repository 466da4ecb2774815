import { initEccLib, Psbt } from 'bitcoinjs-lib';

/** A checker over bitcoinjs-lib, which leaves the curve to another package. */
export function checker(curve, verify) {
  return async () => {
    initEccLib(await curve());
    const check = await verify();
    return async (bytes) => {
      const psbt = Psbt.fromBuffer(bytes);
      return psbt.data.inputs.map((_, index) => psbt.validateSignaturesOfInput(index, check));
    };
  };
}
