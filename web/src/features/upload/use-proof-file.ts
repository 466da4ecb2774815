import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppConfig } from '../../api/types';
import { closeProofReader, readProof, type ProofContents } from '../../psbt';
import { fileProblem, readProblem, type FileProblem } from './proof-file';

const RESET_MS = 1500;

/** The chosen file, from nothing to read or refused. */
export type ProofFileState =
  | { step: 'none'; problem?: FileProblem }
  | { step: 'reading'; file: File }
  /** `passing`: the drop zone itself goes back to idle by itself; the message stays. */
  | { step: 'refused'; file: File; problem: FileProblem; passing: boolean }
  | { step: 'ready'; file: File; contents: ProofContents };

/** Reads the chosen file in the browser. Choosing another one resets everything. */
export function useProofFile({ network, max_file_bytes: maxBytes }: Pick<AppConfig, 'network' | 'max_file_bytes'>) {
  const [state, setState] = useState<ProofFileState>({ step: 'none' });
  const choice = useRef(0);

  const select = useCallback(
    async (file: File) => {
      const mine = ++choice.current;
      const show = (next: ProofFileState) => {
        if (choice.current === mine) setState(next);
      };
      const problem = fileProblem(file, maxBytes);
      if (problem) return show({ step: 'refused', file, problem, passing: true });
      show({ step: 'reading', file });
      try {
        const bytes = new Uint8Array(await file.arrayBuffer());
        show({ step: 'ready', file, contents: await readProof(bytes, network) });
      } catch (error) {
        show({ step: 'refused', file, problem: readProblem(error), passing: false });
      }
    },
    [network, maxBytes],
  );

  useEffect(() => {
    if (state.step !== 'refused' || !state.passing) return undefined;
    const timer = window.setTimeout(() => setState({ step: 'none', problem: state.problem }), RESET_MS);
    return () => window.clearTimeout(timer);
  }, [state]);
  useEffect(() => closeProofReader, []);

  return { state, select };
}
