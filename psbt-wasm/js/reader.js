// The functions of the first module, however its instance was made.

import { take } from './answers.js';
import { guard } from './guard.js';
import { networkOf, now, wantsPoints } from './report.js';

/** `read` and `strip` are functions of the module. `recover` is called when an instance has trapped. */
export function createReader(read, strip, recover) {
  const run = (bytes, call) => guard(bytes, () => {
    call();
    return take();
  }, recover);
  return {
    readPsbt: (bytes, network, options) => run(bytes, () => read(bytes, networkOf(network), wantsPoints(options), now())),
    stripPsbt: (bytes) => run(bytes, () => strip(bytes)),
  };
}
