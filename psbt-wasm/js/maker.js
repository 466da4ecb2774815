// The functions of the third module, whoever has made its instance.

import { MADE, take, understand } from './answers.js';
import { guard } from './guard.js';
import { framed, toMade, wantedOf } from './made.js';

/**
 * `make` and `unite` are those of the module; `recover` is called when an instance has trapped. This module has no reader that
 * refuses anything: `plain`, of the first module, reads what it is given, and what it gives.
 */
export function makerOf(make, unite, recover) {
  understand(MADE, toMade);
  const run = (plain, bytes, call) => {
    const made = guard(bytes, () => {
      call(bytes);
      return take();
    }, recover);
    plain(made.psbt);
    return made;
  };
  return {
    makeProof(plain, bytes, options) {
      const wanted = wantedOf(options);
      return run(plain, plain(bytes), (file) => make(file, wanted));
    },
    combine(plain, files) {
      return run(plain, framed(Array.from(files, plain)), unite);
    },
  };
}
