// Signature checks, in portions: between two of them other work runs, and the caller can give up.

import { take } from './answers.js';
import { guard } from './guard.js';
import { maxChecksOf } from './proof.js';

let last = Promise.resolve();

/**
 * What a module finds. `begin` and `goOn` are functions of the module, which remembers one check at a time, so a check waits for the
 * one before.
 */
export function inPortions(bytes, options, begin, goOn, recover) {
  const found = last.then(() => portions(bytes, options, begin, goOn, recover));
  last = found.catch(() => {});
  return found;
}

async function portions(bytes, options, begin, goOn, recover) {
  const maxChecks = maxChecksOf(options);
  options?.signal?.throwIfAborted();
  guard(bytes, () => {
    begin(bytes, maxChecks);
    take();
  }, recover);
  while (guard(bytes, goOn, recover)) {
    await new Promise((resolve) => setTimeout(resolve));
    options?.signal?.throwIfAborted();
  }
  return guard(bytes, () => {
    const found = take();
    // Another function of the module has trapped meanwhile, so this is another instance.
    if (!found) throw new Error('The check was lost.');
    return found;
  }, recover);
}
