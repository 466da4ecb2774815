import type { MadeProof as Made, ProofCheck, PsbtReport } from 'psbt-wasm';

/** Code of the error that means the reader itself did not load. */
export const READER_UNAVAILABLE = 'reader-unavailable';

/** What a file contains, and the minimal file that verification needs. */
export interface ProofContents {
  report: PsbtReport;
  /** The stripped file, base64: the only part that is ever sent. */
  psbtBase64: string;
  /** Size of the stripped file in bytes. */
  strippedBytes: number;
}

/** What is known of a published proof, and what it is over. The chain has not been asked. */
export interface CheckedProof {
  check: Check;
  report: PsbtReport;
}

export interface Check extends Omit<ProofCheck, 'psbt'> {
  /** Whether a board publishes it under the name that was signed. */
  isNamed: boolean;
}

/** The words of a reader, or a name, in their normal form; `mixed` are those with letters of scripts that look alike. */
export interface Words {
  text: string;
  mixed: string[];
}

/** A file to sign, made of any file over the coins. */
export type MadeProof = Made & { psbt: Uint8Array<ArrayBuffer> };
