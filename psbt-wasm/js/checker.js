// The functions of the second module, whoever has made its instance.

import { inPortions } from './checks.js';
import { publishedOf, toChecked } from './proof.js';

/** `signatures`, `proof` and `goOn` are those of the module; `recover` is called when an instance has trapped. */
export function checkerOf(signatures, proof, goOn, recover) {
  return {
    checkSignatures: (bytes, options) => inPortions(bytes, options, signatures, goOn, recover),
    async checkProof(published, origin, options) {
      const bytes = publishedOf(published, origin);
      return toChecked(await inPortions(bytes, options, proof, goOn, recover), published);
    },
  };
}
