import { useEffect, useState } from 'react';
import type { Form } from '../../lib/signers';
import { makeProof, type MadeProof } from '../../psbt';
import { readProblem, type FileProblem } from './proof-file';

export type Making = { state: 'making' } | { state: 'made'; proof: MadeProof } | { state: 'failed'; problem: FileProblem };

interface Wanted {
  file: File;
  statement: string;
  form: Form;
}

/** Makes a proof to sign of a chosen file. Nothing leaves the page. */
export function useMadeProof({ file, statement, form }: Wanted): Making {
  const [made, setMade] = useState<{ of: Wanted; making: Making } | null>(null);
  useEffect(() => {
    let current = true;
    const show = (making: Making) => current && setMade({ of: { file, statement, form }, making });
    file
      .arrayBuffer()
      .then((bytes) => makeProof(new Uint8Array(bytes), statement, form))
      .then(
        (proof) => show({ state: 'made', proof }),
        (error: unknown) => show({ state: 'failed', problem: makingProblem(error) }),
      );
    return () => {
      current = false;
    };
  }, [file, statement, form]);
  const here = made && made.of.file === file && made.of.statement === statement && made.of.form === form;
  return here ? made.making : { state: 'making' };
}

function makingProblem(error: unknown): FileProblem {
  const { message, detail } = readProblem(error);
  return { message: 'No proof can be made of this file.', detail: detail ?? message };
}
