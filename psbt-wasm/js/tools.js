// The functions of the second module, whoever has made its instance.

import { take } from './answers.js';
import { guard } from './guard.js';
import { framed, toMade, wantedOf } from './made.js';
import { framesOf } from './message.js';
import { isConfirmed } from './note.js';
import { maxChecksOf, publishedOf, fromJson, toChecked } from './proof.js';

/** `module` has the functions of the module; `recover` is called when an instance has trapped. */
export function toolsOf(module, recover) {
  const made = (bytes, call) => {
    const packed = guard(bytes, () => {
      call();
      return take();
    }, recover);
    return toMade(packed);
  };

  let last = Promise.resolve();

  /** What a check finds. The module remembers one at a time, so a check waits for the one before. */
  const checked = (bytes, options, begin) => {
    const found = last.then(() => inPortions(bytes, options, begin));
    last = found.catch(() => {});
    return found;
  };

  /** Between two portions other work runs, and the caller can give up. */
  async function inPortions(bytes, options, begin) {
    const maxChecks = maxChecksOf(options);
    options?.signal?.throwIfAborted();
    guard(bytes, () => {
      begin(bytes, maxChecks);
      take();
    }, recover);
    while (guard(bytes, module.goOn, recover)) {
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

  return {
    async checkSignatures(bytes, options) {
      return fromJson(await checked(bytes, options, module.checkSignatures));
    },
    async checkProof(proof, origin, options) {
      const check = toChecked(await checked(publishedOf(proof, origin), options, module.checkProof), proof);
      check.claimed.confirmed = await isConfirmed(proof, check, options?.keys ?? []);
      return check;
    },
    makeProof(bytes, options) {
      const wanted = wantedOf(options);
      return made(bytes, () => module.makeProof(bytes, wanted));
    },
    combine(files) {
      const bytes = framed(files);
      return made(bytes, () => module.combine(bytes));
    },
    verifyMessage(address, message, signature) {
      const frames = framesOf(address, message, signature);
      return fromJson(guard(frames, () => {
        module.verifyMessage(frames);
        return take();
      }, recover));
    },
  };
}
