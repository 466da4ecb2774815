import { useEffect, useState } from 'react';
import { isStop, makeProof, type MadeProof, type ProofOptions } from '../../psbt';
import { readProblem, type FileProblem } from './proof-file';

export type Making = { state: 'making' } | { state: 'made'; proof: MadeProof } | { state: 'stopped' } | { state: 'failed'; problem: FileProblem };

/** Makes a proof to sign of a chosen file; `again` makes one that was stopped. Nothing leaves the page. */
export function useMadeProof(file: File, options: ProofOptions): { making: Making; again: () => void } {
  const [made, setMade] = useState<{ file: File; wanted: string; making: Making } | null>(null);
  const [attempt, setAttempt] = useState(0);
  // Options of the same content are the same wish.
  const wanted = JSON.stringify(options);
  useEffect(() => {
    let current = true;
    const show = (making: Making) => current && setMade({ file, wanted, making });
    file
      .arrayBuffer()
      .then((bytes) => makeProof(new Uint8Array(bytes), JSON.parse(wanted) as ProofOptions))
      .then(
        (proof) => show({ state: 'made', proof }),
        (error: unknown) => show(isStop(error) ? { state: 'stopped' } : { state: 'failed', problem: makingProblem(error) }),
      );
    return () => {
      current = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt is the event
  }, [file, wanted, attempt]);
  return {
    making: made && made.file === file && made.wanted === wanted ? made.making : { state: 'making' },
    again: () => {
      setMade(null);
      setAttempt(attempt + 1);
    },
  };
}

function makingProblem(error: unknown): FileProblem {
  const { message, detail, ...next } = readProblem(error);
  return { message: 'This file can’t become a proof.', detail: detail ?? message, ...next };
}
