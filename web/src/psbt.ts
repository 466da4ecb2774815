/**
 * Reads proof files with the psbt-wasm package, in a worker. This module and its folder are the package's
 * only importers; here it gives only types, so that the wasm module is fetched when a file is first read, or when a page at rest
 * prepares for that.
 */
import { UserFacingError } from './lib/errors';
import type { Arguments, Result, Task, WorkerAnswer, WorkerRequest } from './psbt/read';
import { READER_UNAVAILABLE } from './psbt/types';

export type * from 'psbt-wasm';
export type { Binding, Fault } from 'psbt-wasm/bundler/tools';
export type { Check, CheckedProof, MadeProof, ProofContents, Words } from './psbt/types';

/** Codes of errors that say nothing of the file: the work was stopped, or a module has failed. */
export const STOPPED = 'stopped';
const FAILED = new Set(['internal', 'unexpected']);

/** Why a file cannot be read: a sentence for the person, the package's stable code, the input at fault. */
export class ProofReadError extends UserFacingError {
  override readonly name = 'ProofReadError';

  constructor(
    message: string,
    readonly code: string,
    readonly input: number | null = null,
  ) {
    // What a module says that has failed is for programmers.
    super(FAILED.has(code) ? '' : message);
  }
}

/** Whether this means that the work was stopped before it was done. */
export function isStop(error: unknown): boolean {
  return error instanceof ProofReadError && error.code === STOPPED;
}

/** Whether this says that the file, or what was asked, is at fault: not the reader, and nobody who stopped it. */
export function isRefusal(error: unknown): error is ProofReadError {
  return error instanceof ProofReadError && !FAILED.has(error.code) && ![READER_UNAVAILABLE, STOPPED].includes(error.code);
}

function unavailable(): ProofReadError {
  return new ProofReadError('Your browser could not start the file reader. Your file is fine. Reload the page; if that doesn’t help, allow WebAssembly and workers for this site.', READER_UNAVAILABLE);
}

/** Wasm memory never shrinks: after a file of this size the worker is let go. */
const LARGE_FILE_BYTES = 4 * 1024 * 1024;

/** A worker and the pending calls. */
interface Reader {
  worker: Worker;
  waiting: Set<(error: ProofReadError) => void>;
  /** Whether it is let go once nobody waits. */
  retiring: boolean;
}

let open: Reader | null = null;
let lastId = 0;

function openReader(): Reader {
  if (open) return open;
  const worker = new Worker(new URL('./psbt/worker.ts', import.meta.url), { type: 'module', name: 'psbt' });
  const reader: Reader = { worker, waiting: new Set(), retiring: false };
  worker.addEventListener('error', () => end(reader, unavailable()));
  open = reader;
  return reader;
}

function end(reader: Reader, error: ProofReadError): void {
  reader.worker.terminate();
  if (open === reader) open = null;
  for (const reject of reader.waiting) reject(error);
  reader.waiting.clear();
}

/** Ends the worker, whatever it is at: what was asked of it fails with the code `stopped`. The next file opens a new one. */
export function closeProofReader(): void {
  if (open) end(open, new ProofReadError('It was stopped.', STOPPED));
}

/** A call of one of the worker's tasks. Files are handed over with it: afterwards their bytes cannot be used here. */
const call =
  <T extends Task>(task: T) =>
  (...args: Arguments<T>): Promise<Result<T>> =>
    run({ id: ++lastId, task, args });

/** Reads and strips one file. */
export const readProof = call('read');

/** The same for a file that a proof is only made of: one without outputs is read for its coins. */
export const readSource = call('source');

/**
 * Checks the signatures of one file, the original: the stripped one may lack what its inputs spend. Advice for the
 * holder; the server decides.
 */
export const checkProofSignatures = call('signatures');

/** What a file says of whose it is, by the statement of an account. A hint for its holder; the server decides. */
export const bindingOf = call('binding');

/** Makes a proof to sign of any PSBT over the coins. Loads a separate module when it is first called. */
export const makeProof = call('make');

/** Puts the partly signed files of several cosigners together (BIP-0174, Combiner). */
export const combineProofs = call('combine');

/**
 * Checks a published proof of the board at an origin: whose it is, that it moves nothing, and that it is signed. The coins are for the
 * chain to tell about.
 */
export const checkPublishedProof = call('proof');

/** What a proof file says, read by the one strict reader. Nothing of it is checked. */
export const readProofFile = call('proofFile');

/** What a text that is not a PSBT is, and what to do instead: a seed phrase, a key, an address, a web page. Null for anything else. */
export const recognizeText = call('recognize');

/** The words of a reader, or a name, by the one rule of the package. Refuses those with characters that nobody can see. */
export const normalizeWords = call('words');

/** The statement of a proof for one reader. */
export const readerStatement = call('statement');

/**
 * The proof file for one reader, of the file that was made and of what its signers gave back. With `everyKey` it also has the signatures
 * that the scripts do not need.
 */
export const readerProof = call('forReader');

/** An instant with its time zone, in Unix seconds. Refuses one without a zone. */
export const readInstant = call('instant');

/** The bounds of a date in a chain, or the height of the block that the search needs next. */
export const searchDate = call('searchDate');

/** Which coins stood at a date. */
export const judgeDate = call('judgeDate');

/** One result for several proofs for one reader. */
export const joinProofs = call('join');

/** Checks a signed message against an address (BIP-322, BIP-137). */
export const verifyMessage = call('message');

/** Has the worker load all that it takes to check proofs, so that they are checked offline as well. False when it could not. */
export async function prepareChecks(): Promise<boolean> {
  // A file without bytes is refused, by the module that would check it.
  return checkProofSignatures(new Uint8Array()).then(() => true, isRefusal);
}

/** The files of a call. Only its first argument is one, or a list of them. */
function filesOf({ args: [first] }: { args: unknown[] }): Uint8Array<ArrayBuffer>[] {
  return [first].flat().filter((file): file is Uint8Array<ArrayBuffer> => file instanceof Uint8Array);
}

async function run<T extends Task>(request: WorkerRequest<T>): Promise<Result<T>> {
  let reader: Reader;
  try {
    reader = openReader();
  } catch {
    throw unavailable(); // the browser lets this page have no workers
  }
  reader.retiring ||= filesOf(request).some(({ byteLength }) => byteLength > LARGE_FILE_BYTES);
  try {
    return await ask(reader, request);
  } catch (error) {
    reader.retiring ||= error instanceof ProofReadError && FAILED.has(error.code);
    throw error;
  } finally {
    if (reader.retiring && reader.waiting.size === 0) end(reader, unavailable());
  }
}

function ask<T extends Task>(reader: Reader, request: WorkerRequest<T>): Promise<Result<T>> {
  const { worker, waiting } = reader;
  return new Promise((resolve, reject) => {
    const answered = (event: Event) => {
      const { data } = event as MessageEvent<WorkerAnswer<T>>;
      if (data.id !== request.id) return;
      worker.removeEventListener('message', answered);
      waiting.delete(reject);
      if (data.ok) resolve(data.result);
      else if (data.code === READER_UNAVAILABLE) {
        reject(unavailable());
        end(reader, unavailable()); // so that the next file tries afresh
      } else reject(new ProofReadError(data.message, data.code, data.input));
    };
    waiting.add(reject);
    worker.addEventListener('message', answered);
    worker.postMessage(request, filesOf(request).map(({ buffer }) => buffer));
  });
}
