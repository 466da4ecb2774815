/**
 * Reads proof files with the psbt-wasm package, in a worker of its own. This module and its folder are the package's
 * only importers; here it gives types alone, so that the wasm module is fetched when a file is first read.
 */
import type { Network, PsbtReport } from 'psbt-wasm';
import { READER_UNAVAILABLE, type WorkerAnswer, type WorkerRequest } from './psbt/protocol';

export { READER_UNAVAILABLE };
export type { Network, PrivateFields, PsbtInput, PsbtOutput, PsbtReport, ScriptType } from 'psbt-wasm';

/** What a file contains, and the minimal file that verification needs. */
export interface ProofContents {
  report: PsbtReport;
  /** The stripped file, base64: the only part that is ever sent. */
  psbtBase64: string;
  /** Size of the stripped file in bytes. */
  strippedBytes: number;
}

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

function unavailable(): ProofReadError {
  return new ProofReadError('The file reader could not be started. Please reload the page.', READER_UNAVAILABLE);
}

/** Wasm memory never shrinks: after a file of this size the worker is let go. */
const LARGE_FILE_BYTES = 4 * 1024 * 1024;

let worker: Worker | null = null;
let lastId = 0;

function openWorker(): Worker {
  worker ??= new Worker(new URL('./psbt/worker.ts', import.meta.url), { type: 'module', name: 'psbt' });
  return worker;
}

/** Ends the worker; the next file opens a new one. */
export function closeProofReader(): void {
  worker?.terminate();
  worker = null;
}

/** Reads and strips one file. The bytes are handed over to the worker and cannot be used afterwards. */
export async function readProof(bytes: Uint8Array<ArrayBuffer>, network: Network): Promise<ProofContents> {
  const large = bytes.byteLength > LARGE_FILE_BYTES;
  try {
    return await ask(openWorker(), { id: ++lastId, bytes, network });
  } finally {
    if (large) closeProofReader();
  }
}

function ask(target: Worker, request: WorkerRequest): Promise<ProofContents> {
  return new Promise((resolve, reject) => {
    const done = new AbortController();
    const { signal } = done;
    target.addEventListener(
      'message',
      ({ data }: MessageEvent<WorkerAnswer>) => {
        if (data.id !== request.id) return;
        done.abort();
        if (data.ok) resolve(data.contents);
        else if (data.code === READER_UNAVAILABLE) {
          closeProofReader(); // so that the next file tries afresh
          reject(unavailable());
        } else reject(new ProofReadError(data.message, data.code, data.input));
      },
      { signal },
    );
    target.addEventListener(
      'error',
      () => {
        done.abort();
        closeProofReader();
        reject(unavailable());
      },
      { signal },
    );
    target.postMessage(request, [request.bytes.buffer]);
  });
}
