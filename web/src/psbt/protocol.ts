import type { Network } from 'psbt-wasm';
import type { ProofContents } from '../psbt';

/** Code of the error that means the reader itself did not load. */
export const READER_UNAVAILABLE = 'reader-unavailable';

/** What the page asks of the worker. */
export interface WorkerRequest {
  id: number;
  bytes: Uint8Array<ArrayBuffer>;
  network: Network;
}

/** What the worker answers; an error class does not survive the crossing, its members do. */
export type WorkerAnswer =
  | { id: number; ok: true; contents: ProofContents }
  | { id: number; ok: false; message: string; code: string; input: number | null };
