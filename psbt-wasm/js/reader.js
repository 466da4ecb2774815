// The functions of the first module, whoever has made its instance.

import { take } from './answers.js';
import { guard } from './guard.js';
import { networkOf, now, wantsPoints } from './report.js';

/** `read` and `strip` are those of the module; `recover` is called when an instance has trapped. */
export function readerOf(read, strip, recover) {
  return {
    readPsbt(bytes, network, options) {
      return guard(bytes, () => {
        read(bytes, networkOf(network), wantsPoints(options), now());
        return take();
      }, recover);
    },
    stripPsbt(bytes) {
      return guard(bytes, () => {
        strip(bytes);
        return take();
      }, recover);
    },
  };
}
