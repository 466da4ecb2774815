import { PsbtError, readPsbt, stripPsbt } from 'psbt-wasm';
import { toBase64 } from '../lib/bytes';
import type { WorkerAnswer, WorkerRequest } from './protocol';

declare const self: DedicatedWorkerGlobalScope;

self.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  self.postMessage(answer(data));
});

function answer({ id, bytes, network }: WorkerRequest): WorkerAnswer {
  try {
    const report = readPsbt(bytes, network);
    const stripped = stripPsbt(bytes);
    const contents = { report, psbtBase64: toBase64(stripped), strippedBytes: stripped.length };
    return { id, ok: true, contents };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof PsbtError) return { id, ok: false, message, code: error.code, input: error.input };
    return { id, ok: false, message, code: 'unexpected', input: null };
  }
}
