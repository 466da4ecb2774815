import { useEffect, useState } from 'react';
import { makeProof, type MadeProof, type ProofOptions } from '../../psbt';
import { readProblem, type FileProblem } from './proof-file';

export type Making = { state: 'making' } | { state: 'made'; proof: MadeProof } | { state: 'failed'; problem: FileProblem };

/** Makes a proof to sign of a chosen file. Nothing leaves the page. */
export function useMadeProof(file: File, options: ProofOptions): Making {
  const [made, setMade] = useState<{ file: File; wanted: string; making: Making } | null>(null);
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
        (error: unknown) => show({ state: 'failed', problem: makingProblem(error) }),
      );
    return () => {
      current = false;
    };
  }, [file, wanted]);
  return made && made.file === file && made.wanted === wanted ? made.making : { state: 'making' };
}

function makingProblem(error: unknown): FileProblem {
  const { message, detail } = readProblem(error);
  return { message: 'No proof can be made of this file.', detail: detail ?? message };
}
