import type { MessageCheck, Network, ProofOptions, PublishedProof, ReaderRequest, Recognized, SignatureReport } from 'psbt-wasm';
import type { CheckedProof, MadeProof, ProofContents, Words } from './types';

/** Code of the error that means the reader itself did not load. */
export const READER_UNAVAILABLE = 'reader-unavailable';

/** Tasks of the worker, each with what it gives. */
export interface Tasks {
  read: { request: { bytes: Uint8Array<ArrayBuffer>; network: Network }; result: ProofContents };
  signatures: { request: { bytes: Uint8Array<ArrayBuffer> }; result: SignatureReport };
  make: { request: { bytes: Uint8Array<ArrayBuffer>; options: ProofOptions }; result: MadeProof };
  proof: { request: { proof: PublishedProof; origin: string; network: Network }; result: CheckedProof };
  recognize: { request: { text: string }; result: Recognized | null };
  words: { request: { text: string }; result: Words };
  statement: { request: { asked: ReaderRequest }; result: string };
  forReader: { request: { asked: ReaderRequest; toSign: Uint8Array; signed: Uint8Array }; result: PublishedProof };
  message: { request: { address: string; message: string; signature: string }; result: MessageCheck };
  combine: { request: { files: Uint8Array<ArrayBuffer>[] }; result: Uint8Array<ArrayBuffer> };
}

export type Task = keyof Tasks;

/** The files of a request, which are handed over with it. */
export function filesOf(request: WorkerRequest): Uint8Array<ArrayBuffer>[] {
  if (request.task === 'combine') return request.files;
  return 'bytes' in request ? [request.bytes] : [];
}

export type WorkerRequest<T extends Task = Task> = {
  [K in T]: { id: number; task: K } & Tasks[K]['request'];
}[T];

/** An answer of the worker; an error class does not survive the crossing, its members do. */
export type WorkerAnswer<T extends Task = Task> =
  | { id: number; ok: true; result: Tasks[T]['result'] }
  | { id: number; ok: false; message: string; code: string; input: number | null };
