import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppConfig } from '../../api/types';
import { forgetFile, keepFile, keptFile } from '../../lib/kept-file';
import { closeProofReader, combineProofs, readProof, type ProofContents } from '../../psbt';
import { fileProblem, readProblem, type FileProblem } from './proof-file';
import { isSameTransaction } from './stage';

const RESET_MS = 1500;

/** The chosen file, from nothing to read or refused. */
export type ProofFileState =
  | { step: 'none'; problem?: FileProblem }
  | { step: 'reading'; file: File }
  /** `passing`: the drop zone itself goes back to idle by itself; the message stays. */
  | { step: 'refused'; file: File; problem: FileProblem; passing: boolean }
  | ReadyFile;

export interface ReadyFile {
  step: 'ready';
  file: File;
  contents: ProofContents;
  /** How many files of cosigners were put together in it. */
  parts: number;
}

/**
 * Reads the chosen file in the browser. Choosing another one resets everything, except that another cosigner's part joins
 * the first (decisions, D18). What is kept is there again after a look at another page.
 */
export function useProofFile(
  { network, max_file_bytes: maxBytes }: Pick<AppConfig, 'network' | 'max_file_bytes'>,
  afterwards: 'keep' | 'forget' = 'keep',
) {
  const [state, setState] = useState<ProofFileState>({ step: 'none' });
  const choice = useRef(0);
  const held = useRef<ReadyFile | null>(null);

  const select = useCallback(
    async (...files: File[]) => {
      const mine = ++choice.current;
      if (afterwards === 'keep') forgetFile();
      const show = (next: ProofFileState) => {
        if (choice.current !== mine) return;
        held.current = next.step === 'ready' ? next : null;
        setState(next);
      };
      let before = held.current;
      for (const file of files) {
        const problem = fileProblem(file, maxBytes);
        if (problem) return show({ step: 'refused', file, problem, passing: true });
        show({ step: 'reading', file });
        try {
          const contents = await readProof(await bytesOf(file), network);
          before = (before && (await joined(before, file, contents, network))) ?? { step: 'ready', file, contents, parts: 1 };
        } catch (error) {
          return show({ step: 'refused', file, problem: readProblem(error), passing: false });
        }
      }
      if (!before) return undefined;
      show(before);
      if (choice.current === mine && afterwards === 'keep') keepFile(before.file.name, await bytesOf(before.file));
      return undefined;
    },
    [network, maxBytes, afterwards],
  );

  useEffect(() => {
    if (state.step !== 'refused' || !state.passing) return undefined;
    const timer = window.setTimeout(() => setState({ step: 'none', problem: state.problem }), RESET_MS);
    return () => window.clearTimeout(timer);
  }, [state]);
  // A file that was chosen before another page was looked at.
  useEffect(() => {
    const kept = afterwards === 'keep' ? keptFile() : null;
    // oxlint-disable-next-line react/set-state-in-effect -- only after the file has been read
    if (kept) void select(kept);
    return closeProofReader;
  }, [select, afterwards]);

  return { state, select };
}

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer());

/** Another cosigner's part put together with what is there; null when it is none. */
async function joined(held: ReadyFile, file: File, contents: ProofContents, network: AppConfig['network']): Promise<ReadyFile | null> {
  if (!isSameTransaction(held.contents.report, contents.report)) return null;
  const bytes = await combineProofs([await bytesOf(held.file), await bytesOf(file)]).catch(() => null);
  if (!bytes) return null; // what does not fit together is a file of its own
  const together = new File([bytes], held.file.name);
  return { step: 'ready', file: together, contents: await readProof(await bytesOf(together), network), parts: held.parts + 1 };
}
