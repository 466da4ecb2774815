import { toBase64 } from '../lib/bytes';
import { messageIn } from './message';
import type { MadeProof, MakeOptions, ProofContents } from '../psbt';
import { READER_UNAVAILABLE, type Task, type Tasks, type WorkerAnswer, type WorkerRequest } from './protocol';

// Imported when it is needed, not above: this entry imports its wasm, which vite-plugin-wasm loads, and messages that come before the
// worker's listener stands are lost.
const load = () => import('psbt-wasm/bundler');
type Reader = Awaited<ReturnType<typeof load>>;

/** What makes proofs: a module of its own, which the package loads when one of these is first called. */
interface Maker {
  makeProof: (bytes: Uint8Array, options: MakeOptions) => Promise<MadeProof>;
  combine: (files: Uint8Array[]) => Promise<{ psbt: Uint8Array<ArrayBuffer> }>;
}
const makerOf = (reader: Reader) => reader as unknown as Maker;

/** Does one task. Never throws: an error class would not survive the crossing to the page. */
export async function answer<T extends Task>(request: WorkerRequest<T>): Promise<WorkerAnswer<T>> {
  const { id } = request;
  let reader: Reader;
  try {
    reader = await load();
  } catch (error) {
    return { id, ok: false, message: messageOf(error), code: READER_UNAVAILABLE, input: null };
  }
  try {
    return { id, ok: true, result: (await perform(reader, request as WorkerRequest)) as Tasks[T]['result'] };
  } catch (error) {
    const known = error instanceof reader.PsbtError;
    return {
      id,
      ok: false,
      message: messageOf(error),
      code: known ? error.code : 'unexpected',
      input: known ? error.input : null,
    };
  }
}

async function perform(reader: Reader, request: WorkerRequest): Promise<Tasks[Task]['result']> {
  switch (request.task) {
    case 'signatures':
      return reader.checkSignatures(request.bytes);
    case 'make':
      return makerOf(reader).makeProof(request.bytes, request.options);
    case 'combine':
      return (await makerOf(reader).combine(request.files)).psbt;
    case 'read':
      return read(reader, request);
  }
}

function read(reader: Reader, request: WorkerRequest<'read'>): ProofContents {
  const report = reader.readPsbt(request.bytes, request.network);
  const stripped = reader.stripPsbt(request.bytes);
  return { report, psbtBase64: toBase64(stripped), message: messageIn(stripped), strippedBytes: stripped.length };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
