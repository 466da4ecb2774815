/**
 * Reads proof files with the psbt-wasm package, in a worker. This module and its folder are the package's
 * only importers; here it gives only types, so that the wasm module is fetched when a file is first read, or when a page at rest
 * prepares for that.
 */
import type { MessageCheck, Network, ProofOptions, PublishedProof, ReaderRequest, Recognized, SignatureReport } from 'psbt-wasm';
import { filesOf, READER_UNAVAILABLE, type Task, type Tasks, type WorkerAnswer, type WorkerRequest } from './psbt/protocol';
import type { CheckedProof, MadeProof, ProofContents, Words } from './psbt/types';

export { READER_UNAVAILABLE };

/** Code of the error that means that the work was stopped before it was done. */
export const STOPPED = 'stopped';

export type {
  InputSignatures,
  MessageCheck,
  Network,
  PrivateFields,
  ProofCheck,
  ProofOptions,
  PsbtInput,
  PsbtOutput,
  PsbtReport,
  PublishedProof,
  ReaderRequest,
  ScriptType,
  SignatureReport,
  Warning,
} from 'psbt-wasm';
export type { CheckedProof, MadeProof, ProofContents, Words };

/** Why a file cannot be read: a sentence for the person, the package's stable code, the input at fault. */
export class ProofReadError extends Error {
  override readonly name = 'ProofReadError';

  constructor(
    message: string,
    readonly code: string,
    readonly input: number | null = null,
  ) {
    super(message);
  }
}

/** Whether this means that the work was stopped before it was done. */
export function isStop(error: unknown): boolean {
  return error instanceof ProofReadError && error.code === STOPPED;
}

function unavailable(): ProofReadError {
  return new ProofReadError('Your browser could not start the file reader. Your file is fine. Reload the page; if that doesn’t help, allow WebAssembly and workers for this site.', READER_UNAVAILABLE);
}

/** Codes of errors that say nothing of the file: a module has failed, or has not come. A worker has no other instead. */
const FAILED = new Set(['internal', 'unexpected']);

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

/** Reads and strips one file. The bytes are handed over to the worker and cannot be used afterwards. */
export function readProof(bytes: Uint8Array<ArrayBuffer>, network: Network): Promise<ProofContents> {
  return run<'read'>({ id: ++lastId, task: 'read', bytes, network });
}

/**
 * Checks the signatures of one file, the original: the stripped one may lack what its inputs spend. Advice for the
 * holder; the server decides. The bytes are handed over to the worker and cannot be used afterwards.
 */
export function checkProofSignatures(bytes: Uint8Array<ArrayBuffer>): Promise<SignatureReport> {
  return run<'signatures'>({ id: ++lastId, task: 'signatures', bytes });
}

/**
 * Has the worker load all that it takes to check proofs, so that they are checked offline as well. False when it could not.
 */
export async function prepareChecks(): Promise<boolean> {
  try {
    // A file without bytes is refused, by the module that would check it.
    await checkProofSignatures(new Uint8Array());
    return true;
  } catch (error) {
    return error instanceof ProofReadError && ![...FAILED, READER_UNAVAILABLE, STOPPED].includes(error.code);
  }
}

/**
 * Makes a proof to sign of any PSBT over the coins. Loads a separate module when it is first called. The bytes are
 * handed over to the worker and cannot be used afterwards.
 */
export function makeProof(bytes: Uint8Array<ArrayBuffer>, options: ProofOptions): Promise<MadeProof> {
  return run<'make'>({ id: ++lastId, task: 'make', bytes, options });
}

/**
 * Checks a published proof of the board at `origin`: whose it is, that it moves nothing, and that it is signed. The coins are for the chain to
 * tell about.
 */
export function checkPublishedProof(proof: PublishedProof, origin: string, network: Network): Promise<CheckedProof> {
  return run<'proof'>({ id: ++lastId, task: 'proof', proof, origin, network });
}

/** What a text that is not a PSBT is, and what to do instead: a seed phrase, a key, an address, a web page. Null for anything else. */
export function recognizeText(text: string): Promise<Recognized | null> {
  return run<'recognize'>({ id: ++lastId, task: 'recognize', text });
}

/** The words of a reader, or a name, by the one rule of the package. Refuses those with characters that nobody can see. */
export function normalizeWords(text: string): Promise<Words> {
  return run<'words'>({ id: ++lastId, task: 'words', text });
}

/** The statement of a proof for one reader. */
export function readerStatement(asked: ReaderRequest): Promise<string> {
  return run<'statement'>({ id: ++lastId, task: 'statement', asked });
}

/** The proof file for one reader, of the file that was made and of what its signers gave back. */
export function readerProof(asked: ReaderRequest, toSign: Uint8Array, signed: Uint8Array): Promise<PublishedProof> {
  return run<'forReader'>({ id: ++lastId, task: 'forReader', asked, toSign, signed });
}

/** Checks a signed message against an address (BIP-322, BIP-137). */
export function verifyMessage(address: string, message: string, signature: string): Promise<MessageCheck> {
  return run<'message'>({ id: ++lastId, task: 'message', address, message, signature });
}

/** Puts the partly signed files of several cosigners together (BIP-0174, Combiner). They are handed over, too. */
export function combineProofs(files: Uint8Array<ArrayBuffer>[]): Promise<Uint8Array<ArrayBuffer>> {
  return run<'combine'>({ id: ++lastId, task: 'combine', files });
}

async function run<T extends Task>(request: WorkerRequest<T>): Promise<Tasks[T]['result']> {
  let reader: Reader;
  try {
    reader = openReader();
  } catch {
    throw unavailable(); // the browser lets this page have no workers
  }
  reader.retiring ||= filesOf(request as WorkerRequest).some(({ byteLength }) => byteLength > LARGE_FILE_BYTES);
  try {
    return await ask(reader, request);
  } catch (error) {
    reader.retiring ||= error instanceof ProofReadError && FAILED.has(error.code);
    throw error;
  } finally {
    if (reader.retiring && reader.waiting.size === 0) end(reader, unavailable());
  }
}

function ask<T extends Task>(reader: Reader, request: WorkerRequest<T>): Promise<Tasks[T]['result']> {
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
    worker.postMessage(request, filesOf(request as WorkerRequest).map(({ buffer }) => buffer));
  });
}
