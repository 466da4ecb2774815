// The functions of the second module, however its instance was made.

import { take } from './answers.js';
import { encodeRequest, normalizeWords, proofFile } from './for-reader.js';
import { frame, fromJson, unpack } from './frames.js';
import { guard } from './guard.js';
import { encodeOptions, versionOf } from './make.js';
import { encodeMessage } from './message.js';
import { checkNote } from './note.js';
import { MAX_TRANSACTION_BYTES, decodeCheck, encodeProof, parseAccepted, readMaxChecks, tooLarge } from './proof.js';
import { PsbtError, bytesOf } from './psbt.js';
import { networkOf } from './report.js';

/** What the strict reader refuses a file for, as a problem; null for a file that it takes. */
function findProblem(read) {
  try {
    read();
    return null;
  } catch (error) {
    if (!(error instanceof PsbtError)) throw error;
    const { code, input, message } = error;
    return { code, map: input === null ? null : 'input', index: input, field: null, message };
  }
}

/** `module` has the functions of the module. `recover` is called when an instance has trapped. `readPsbt` is that of the first module. */
export function createTools(module, recover, readPsbt) {
  /** Calls a function of the module, and returns its answer. */
  const run = (bytes, call) => guard(bytes, () => {
    call();
    return take();
  }, recover);

  let last = Promise.resolve();

  /** Runs a check after the one before: the module remembers one at a time. */
  const runCheck = (bytes, maxChecks, signal, begin) => {
    const check = last.then(() => runPortions(bytes, maxChecks, signal, begin));
    last = check.catch(() => {});
    return check;
  };

  /** Between two portions, other work runs and the caller can abort. */
  async function runPortions(bytes, maxChecks, signal, begin) {
    signal?.throwIfAborted();
    run(bytes, () => begin(bytes, maxChecks));
    while (guard(bytes, module.goOn, recover)) {
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
    }
    return guard(bytes, () => {
      const found = take();
      // Another function of the module trapped meanwhile, so this is a fresh instance.
      if (!found) throw new Error('The check was lost.');
      return found;
    }, recover);
  }

  return {
    async checkSignatures(bytes, options) {
      return fromJson(await runCheck(bytes, readMaxChecks(options), options?.signal, module.checkSignatures));
    },
    readProof(file) {
      const bytes = bytesOf(file);
      run(bytes, () => module.acceptProof(bytes));
      return parseAccepted(bytes);
    },
    async checkProof(file, origin, options) {
      const maxChecks = readMaxChecks(options, ['keys']);
      const check = decodeCheck(await runCheck(encodeProof(file, origin), maxChecks, options?.signal, module.checkProof), file);
      check.note = await checkNote(check, options?.keys ?? []);
      check.claimed.confirmed = check.statement === null && check.note.is === 'valid';
      return check;
    },
    inspect(bytes, network = 'mainnet') {
      const found = fromJson(run(bytes, () => module.inspect(bytes, networkOf(network))));
      const problem = findProblem(() => readPsbt(bytes, network, { keys: 'curve' }));
      if (problem && !found.problems.some(({ message }) => message === problem.message)) found.problems.push(problem);
      return found;
    },
    recognize(given) {
      const bytes = bytesOf(given);
      return fromJson(run(bytes, () => module.recognize(bytes)));
    },
    makeProof(bytes, options) {
      const encoded = encodeOptions(options);
      return unpack(run(bytes, () => module.makeProof(bytes, encoded)));
    },
    convert(bytes, version) {
      const wanted = versionOf(version);
      return unpack(run(bytes, () => module.convert(bytes, wanted)));
    },
    combine(files) {
      const bytes = frame(files);
      return unpack(run(bytes, () => module.combine(bytes)));
    },
    normalizeWords,
    readerStatement(asked) {
      const frames = encodeRequest(asked);
      return new TextDecoder().decode(run(frames, () => module.readerStatement(frames)));
    },
    extract(bytes) {
      return run(bytes, () => module.extract(bytes));
    },
    readerProof(asked, toSign, signed) {
      const transaction = this.extract(signed);
      // `checkProof` would refuse it.
      if (transaction.length > MAX_TRANSACTION_BYTES) throw tooLarge();
      const { inputs, message } = readPsbt(toSign, 'mainnet');
      return proofFile(asked, {
        text: this.readerStatement(asked),
        binding: message === null ? 'transaction' : 'message',
        transaction,
        coins: inputs,
      });
    },
    verifyMessage(address, message, signature, options) {
      const frames = encodeMessage(address, message, signature, options);
      return fromJson(run(frames, () => module.verifyMessage(frames)));
    },
  };
}
