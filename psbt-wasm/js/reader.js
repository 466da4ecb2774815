// The functions of the first module, however its instance was made.

import { take } from './answers.js';
import { guard } from './guard.js';
import { networkOf, now } from './report.js';

/** `module` has the functions of the module. `recover` is called when an instance has trapped. */
export function createReader(module, recover) {
  const run = (file, call) => guard(file, (bytes) => {
    call(bytes);
    return take();
  }, recover);
  return {
    readPsbt: (file, network) => run(file, (bytes) => module.readPsbt(bytes, networkOf(network), now())),
    stripPsbt: (file) => run(file, (bytes) => module.stripPsbt(bytes)),
  };
}
