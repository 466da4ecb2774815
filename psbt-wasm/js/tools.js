// The functions of the second module, however its instance was made.

import { take } from './answers.js';
import { blocksOf, encodeHistories, encodeSearch, toVerdict } from './date.js';
import { encodeRequest, normalizeWords, proofFile, wantsEveryKey } from './for-reader.js';
import { frame, fromJson, unpack } from './frames.js';
import { guard } from './guard.js';
import { networkIn, wantsAll, withOwn } from './inspect.js';
import { encodeFiles, toJoint } from './joined.js';
import { encodeOptions, versionOf } from './make.js';
import { encodeMessage } from './message.js';
import { checkNote } from './note.js';
import { MAX_TRANSACTION_BYTES, decodeCheck, encodeProof, parseAccepted, readMaxChecks, tooLarge } from './proof.js';

/** A check goes on without the bytes of its file. */
const NOTHING = new Uint8Array();

/**
 * `module` has the functions of the module. `recover` is called when an instance has trapped. `loadLog` loads the functions of the third
 * module.
 */
export function createTools(module, recover, loadLog) {
  /** Calls a function of the module with the bytes of a file, and returns its answer. */
  const run = (file, call) => guard(file, (bytes) => {
    call(bytes);
    return take();
  }, recover);

  let last = Promise.resolve();

  /** Runs a check after the one before: the module remembers one at a time. */
  const runCheck = (file, maxChecks, signal, begin) => {
    const check = last.then(() => runPortions(file, maxChecks, signal, begin));
    last = check.catch(() => {});
    return check;
  };

  /** Between two portions, other work runs and the caller can abort. */
  async function runPortions(file, maxChecks, signal, begin) {
    signal?.throwIfAborted();
    run(file, (bytes) => begin(bytes, maxChecks));
    while (goOn()) {
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
    }
    return guard(NOTHING, () => {
      const found = take();
      // Another function of the module trapped meanwhile, so this is a fresh instance.
      if (!found) throw new Error('The check was lost.');
      return found;
    }, recover);
  }

  const goOn = () => guard(NOTHING, module.goOn, recover);

  return {
    async checkSignatures(file, options) {
      return fromJson(await runCheck(file, readMaxChecks(options), options?.signal, module.checkSignatures));
    },
    readProof(file) {
      run(file, module.acceptProof);
      return parseAccepted(file);
    },
    async checkProof(file, origin, options) {
      const maxChecks = readMaxChecks(options, ['keys']);
      const check = decodeCheck(await runCheck(encodeProof(file, origin), maxChecks, options?.signal, module.checkProof), file);
      check.note = await checkNote(check, options?.keys ?? [], loadLog);
      check.claimed.confirmed = check.statement === null && check.note.is === 'valid';
      return check;
    },
    inspect(file, options) {
      const network = networkIn(options);
      return fromJson(run(file, (bytes) => module.inspect(bytes, network, wantsAll(options))));
    },
    derivations: (file, options) => withOwn(run(file, module.derivations), options),
    recognize: (given) => fromJson(run(given, module.recognize)),
    makeProof(file, options) {
      const encoded = encodeOptions(options);
      return unpack(run(file, (bytes) => module.makeProof(bytes, encoded)));
    },
    convert(file, version) {
      const wanted = versionOf(version);
      return unpack(run(file, (bytes) => module.convert(bytes, wanted)));
    },
    combine(files) {
      if (typeof files === 'string') throw new TypeError('The files must be a list of files.');
      return unpack(run(frame(files), module.combine));
    },
    normalizeWords,
    readerStatement: (request) => new TextDecoder().decode(run(encodeRequest(request), module.readerStatement)),
    bindingOf: (file, statement) => fromJson(run(frame([statement, file]), module.bindingOf)),
    fullName: (...words) => new TextDecoder().decode(run(frame(words), module.fullName)),
    extract: (file) => run(file, module.extract),
    readerProof(request, toSign, signed, options) {
      const everyKey = wantsEveryKey(options);
      const transaction = this.extract(signed);
      // `checkProof` would refuse it.
      if (transaction.length > MAX_TRANSACTION_BYTES) throw tooLarge();
      const coins = fromJson(run(toSign, module.readerCoins));
      const further = everyKey ? fromJson(run(frame([toSign, signed]), module.furtherSignatures)) : [];
      return proofFile(request, this.readerStatement(request), transaction, coins, further);
    },
    readInstant: (text) => fromJson(run(text, module.readInstant)).time,
    async findDate(time, tip, ask) {
      const known = new Map();
      for (;;) {
        const found = fromJson(run(encodeSearch(time, tip, [...known.values()]), module.findBounds));
        const blockAt = (height) => (height === null ? null : known.get(height));
        if (found.ask === null) return { lower: blockAt(found.lower), upper: blockAt(found.upper), settled: found.settled };
        for (const block of blocksOf(await ask(found.ask), found.ask)) known.set(block.height, block);
      }
    },
    judgeDate: (given) => toVerdict(fromJson(run(encodeHistories(given), module.judgeDate))),
    joinProofs(files, options) {
      const list = Array.from(files);
      return toJoint(fromJson(run(encodeFiles(list, options), module.joinProofs)), list);
    },
    verifyMessage: (address, message, signature, options) =>
      fromJson(run(encodeMessage(address, message, signature, options), module.verifyMessage)),
  };
}
