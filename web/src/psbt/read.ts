import { toBase64 } from '../lib/bytes';
import { READER_UNAVAILABLE, type Task, type Tasks, type WorkerAnswer, type WorkerRequest } from './protocol';
import type { MadeProof, ProofContents } from './types';

// Imported when it is needed, not above: this entry imports its wasm, which vite-plugin-wasm loads, and messages that come before the
// worker has its listener are lost.
const load = () => import('psbt-wasm/bundler');
type Reader = Awaited<ReturnType<typeof load>>;

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
      // The module's results have their own buffer.
      return (await reader.makeProof(request.bytes, request.options)) as MadeProof;
    case 'recognize':
      return reader.recognize(request.text);
    case 'words':
      return reader.normalizeWords(request.text);
    case 'statement':
      return reader.readerStatement(request.asked);
    case 'forReader':
      return reader.readerProof(request.asked, request.toSign, request.signed);
    case 'message':
      return reader.verifyMessage(request.address, request.message, request.signature);
    case 'combine':
      return (await reader.combine(request.files)).psbt as Uint8Array<ArrayBuffer>;
    case 'proof': {
      const { psbt, ...check } = await reader.checkProof(request.proof, request.origin);
      return { check, report: reader.readPsbt(psbt, request.network) };
    }
    case 'read':
      return read(reader, request);
  }
}

function read(reader: Reader, request: WorkerRequest<'read'>): ProofContents {
  const report = reader.readPsbt(request.bytes, request.network);
  const stripped = reader.stripPsbt(request.bytes);
  return { report, psbtBase64: toBase64(stripped), strippedBytes: stripped.length };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
