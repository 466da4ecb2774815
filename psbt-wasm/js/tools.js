// The functions of the second module, whoever has made its instance.

import { take } from './answers.js';
import { guard } from './guard.js';
import { framed, toMade, wantedOf } from './made.js';
import { maxChecksOf, publishedOf, toChecked, toSignatures } from './proof.js';
import { PsbtError, bytesOf } from './psbt.js';
import { networkOf } from './report.js';

/** What the strict reader refuses a file for. */
function problemOf(read) {
  try {
    read();
    return null;
  } catch (error) {
    if (!(error instanceof PsbtError)) throw error;
    const { code, input, message } = error;
    return { code, map: input === null ? null : 'input', index: input, field: null, message };
  }
}

const toObject = (json) => JSON.parse(new TextDecoder().decode(json));

/** `module` has the functions of the module; `recover` is called when an instance has trapped; `readPsbt` is that of the first module. */
export function toolsOf(module, recover, readPsbt) {
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
      return toSignatures(await checked(bytes, options, module.checkSignatures));
    },
    async checkProof(proof, origin, options) {
      return toChecked(await checked(publishedOf(proof, origin), options, module.checkProof), proof);
    },
    inspect(bytes, network = 'mainnet') {
      const found = guard(bytes, () => {
        module.inspect(bytes, networkOf(network));
        return toObject(take());
      }, recover);
      const problem = problemOf(() => readPsbt(bytes, network, { keys: 'curve' }));
      if (problem && !found.problems.some(({ message }) => message === problem.message)) found.problems.push(problem);
      return found;
    },
    recognize(given) {
      const bytes = bytesOf(given);
      return guard(bytes, () => {
        module.recognize(bytes);
        return toObject(take());
      }, recover);
    },
    makeProof(bytes, options) {
      const wanted = wantedOf(options);
      return made(bytes, () => module.makeProof(bytes, wanted));
    },
    combine(files) {
      const bytes = framed(files);
      return made(bytes, () => module.combine(bytes));
    },
  };
}
