import { toBase64 } from '../lib/bytes';
import { READER_UNAVAILABLE, type WorkerAnswer, type WorkerRequest } from './protocol';

// Imported when it is needed, not above: the module waits for its wasm, and messages that come before the
// worker's listener stands are lost.
const load = () => import('psbt-wasm');

/** Reads and strips one file. Never throws: an error class would not survive the crossing to the page. */
export async function answer({ id, bytes, network }: WorkerRequest): Promise<WorkerAnswer> {
  let reader: Awaited<ReturnType<typeof load>>;
  try {
    reader = await load();
  } catch (error) {
    return { id, ok: false, message: messageOf(error), code: READER_UNAVAILABLE, input: null };
  }
  try {
    const report = reader.readPsbt(bytes, network);
    const stripped = reader.stripPsbt(bytes);
    const contents = { report, psbtBase64: toBase64(stripped), strippedBytes: stripped.length };
    return { id, ok: true, contents };
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
