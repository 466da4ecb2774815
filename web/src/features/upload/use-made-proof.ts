import { useQuery } from '@tanstack/react-query';
import { workQuery } from '../../lib/work-query';
import { makeProof, type ProofOptions } from '../../psbt';
import { readProblem, type FileProblem } from './proof-file';

/** Makes a proof to sign of a chosen file. Nothing leaves the page. */
export function useMadeProof(file: File, options: ProofOptions) {
  // Options of the same content are the same wish.
  return useQuery(workQuery('made-proof', [file, JSON.stringify(options)], async () => makeProof(new Uint8Array(await file.arrayBuffer()), options)));
}

/** Why no proof was made. */
export function makingProblem(error: unknown): FileProblem {
  const { message, detail, ...next } = readProblem(error);
  return { message: 'This file can’t become a proof.', detail: detail ?? message, ...next };
}
