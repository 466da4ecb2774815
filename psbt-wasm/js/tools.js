// The functions of the second module, for every way to make its instance.

import { take } from './answers.js';
import { guard } from './guard.js';
import { normalizeWords, proofFile, statementFrames } from './for-reader.js';
import { framed, toMade, wantedOf } from './made.js';
import { framesOf } from './message.js';
import { isConfirmed } from './note.js';
import { fromJson, maxChecksOf, publishedOf, toChecked } from './proof.js';
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

const text = (bytes) => new TextDecoder().decode(bytes);

/** `module` has the functions of the module; `recover` is called when an instance has trapped; `readPsbt` is that of the first module. */
export function toolsOf(module, recover, readPsbt) {
  /** What a function of the module answers. */
  const answerOf = (bytes, call) => guard(bytes, () => {
    call();
    return take();
  }, recover);

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
    answerOf(bytes, () => begin(bytes, maxChecks));
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
    inspect(bytes, network = 'mainnet') {
      const found = fromJson(answerOf(bytes, () => module.inspect(bytes, networkOf(network))));
      const problem = problemOf(() => readPsbt(bytes, network, { keys: 'curve' }));
      if (problem && !found.problems.some(({ message }) => message === problem.message)) found.problems.push(problem);
      return found;
    },
    recognize(given) {
      const bytes = bytesOf(given);
      return fromJson(answerOf(bytes, () => module.recognize(bytes)));
    },
    makeProof(bytes, options) {
      const wanted = wantedOf(options);
      return toMade(answerOf(bytes, () => module.makeProof(bytes, wanted)));
    },
    combine(files) {
      const bytes = framed(files);
      return toMade(answerOf(bytes, () => module.combine(bytes)));
    },
    normalizeWords,
    readerStatement(asked) {
      const frames = statementFrames(asked);
      return text(answerOf(frames, () => module.readerStatement(frames)));
    },
    extract(bytes) {
      return answerOf(bytes, () => module.extract(bytes));
    },
    readerProof(asked, toSign, signed) {
      const { inputs, message } = readPsbt(toSign, 'mainnet');
      return proofFile(asked, {
        text: this.readerStatement(asked),
        binding: message === null ? 'transaction' : 'message',
        transaction: this.extract(signed),
        coins: inputs,
      });
    },
    verifyMessage(address, message, signature) {
      const frames = framesOf(address, message, signature);
      return fromJson(answerOf(frames, () => module.verifyMessage(frames)));
    },
  };
}
