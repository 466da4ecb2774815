import { useWork } from '../../lib/use-work';
import { isStop, makeProof, type MadeProof, type ProofOptions } from '../../psbt';
import { readProblem, type FileProblem } from './proof-file';

export type Making = { state: 'making' } | { state: 'made'; proof: MadeProof } | { state: 'stopped' } | { state: 'failed'; problem: FileProblem };

/** Makes a proof to sign of a chosen file; `again` makes one that was stopped. Nothing leaves the page. */
export function useMadeProof(file: File, options: ProofOptions): { making: Making; again: () => void } {
  const work = async (): Promise<Making> => {
    try {
      return { state: 'made', proof: await makeProof(new Uint8Array(await file.arrayBuffer()), options) };
    } catch (error) {
      return isStop(error) ? { state: 'stopped' } : { state: 'failed', problem: makingProblem(error) };
    }
  };
  // Options of the same content are the same wish.
  const { value, again } = useWork(work, [file, JSON.stringify(options)]);
  return { making: value ?? { state: 'making' }, again };
}

function makingProblem(error: unknown): FileProblem {
  const { message, detail, ...next } = readProblem(error);
  return { message: 'This file can’t become a proof.', detail: detail ?? message, ...next };
}
