// The functions of the third module, whoever has made its instance.

import { take, understand } from './answers.js';
import { guard } from './guard.js';
import { framed, toMade, wantedOf } from './made.js';

/** Its kind of answer in src/wasm/answer.rs. */
const MADE = 4;

/** `make` and `unite` are those of the module; `recover` is called when an instance has trapped. */
export function makerOf(make, unite, recover) {
  understand(MADE, toMade);
  return {
    makeProof(bytes, options) {
      const { statement, isMessage, lockTime, firstTen, split, part } = wantedOf(options);
      return guard(bytes, () => {
        make(bytes, statement, isMessage, lockTime, firstTen, split, part);
        return take();
      }, recover);
    },
    combine(files) {
      const all = Array.from(files);
      // Of each whether it is a file, then of all whether they are not too large.
      for (const file of all) guard(file, () => {}, recover);
      const frames = framed(all);
      return guard(frames, () => {
        unite(frames);
        return take();
      }, recover);
    },
  };
}
