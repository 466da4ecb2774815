import { useCallback, useEffect, useRef, useState } from 'react';
import type { KeptFile } from '../../lib/kept-file';
import { mayBeSecret, NEVER_PASTE, UNCHECKED } from '../../lib/secret';
import { closeProofReader, combineProofs, type Network, type ProofContents, ProofReadError, type PsbtReport, readProof, readSource, recognizeText } from '../../psbt';
import { otherNetworkText } from './networks';
import { isPsbtText } from '../../lib/psbt-text';
import { fileProblem, type FileProblem, readProblem } from './proof-file';

const RESET_MS = 1500;
/** Codes for content that may be something else entirely. */
const NO_PSBT = new Set(['invalid-magic', 'file-too-short', 'could-not-parse']);
/** Codes of parts that contradict each other. */
const DO_NOT_FIT = new Set(['conflict', 'other-transaction']);

/** The chosen file, from nothing to read or refused. */
export type ProofFileState =
  | { step: 'none'; problem?: FileProblem }
  | ReadingFile
  /** `passing`: the drop zone itself goes back to idle by itself; the message stays. */
  | { step: 'refused'; file: File; problem: FileProblem; passing: boolean }
  | ReadyFile;

export interface ReadingFile {
  step: 'reading';
  file: File;
  /** How many of the files that were chosen together have been read. */
  done: number;
  of: number;
}

export interface ReadyFile {
  step: 'ready';
  file: File;
  contents: ProofContents;
  /** How many files of cosigners were put together in it. */
  parts: number;
  /** Why the previous file is not part of it, when the user might expect that. */
  apart?: string;
}

const STOPPED: FileProblem = { message: 'You stopped reading the file.' };

/**
 * Reads the chosen file in the browser. Choosing another one resets everything, except that another cosigner's part joins
 * the first (decisions, D18). A kept file is restored after a visit to another page. `waiting` says that the previous file waits for
 * other parts, so that a file that is not one gets a message. With `coins_alone`, a file may lack outputs: a proof can be made of its coins.
 */
export function useProofFile(
  { network, max_file_bytes: maxBytes, coins_alone: coinsAlone = false }: { network: Network; max_file_bytes: number; coins_alone?: boolean },
  /** Where the file is kept while another page is looked at; nowhere if absent. */
  keeper?: KeptFile,
) {
  const [file, setFile] = useState<ProofFileState>({ step: 'none' });
  const choice = useRef(0);
  const held = useRef<ReadyFile | null>(null);

  const onFiles = useCallback(
    async (files: File[], waiting = false) => {
      const mine = ++choice.current;
      const show = (next: ProofFileState) => {
        if (choice.current !== mine) return;
        if (next.step !== 'reading') held.current = next.step === 'ready' ? next : null;
        if (next.step === 'refused' || next.step === 'none') keeper?.forget();
        setFile(next);
      };
      const expected = waiting || files.length > 1;
      let before = held.current;
      for (const [done, one] of files.entries()) {
        const problem = fileProblem(one, maxBytes);
        if (problem) return show({ step: 'refused', file: one, problem, passing: true });
        // Of a secret nothing is shown, not even its size.
        const secret = await secretIn(one);
        if (secret) {
          if (choice.current === mine) keeper?.forget();
          return show({ step: 'none', problem: secret });
        }
        show({ step: 'reading', file: one, done, of: files.length });
        try {
          const contents = await (coinsAlone ? readSource : readProof)(await bytesOf(one), network);
          const alone: ReadyFile = { step: 'ready', file: one, contents, parts: 1 };
          before = before ? await joined(before, alone, expected, network) : alone;
        } catch (error) {
          const recognized = await recognizedProblem(one, error, network);
          return show({ step: 'refused', file: one, problem: recognized ?? readProblem(error), passing: false });
        }
      }
      if (!before) return undefined;
      show(before);
      if (choice.current === mine && keeper) keeper.keep(before.file.name, await bytesOf(before.file));
      return undefined;
    },
    [network, maxBytes, coinsAlone, keeper],
  );

  useEffect(() => {
    if (file.step !== 'refused' || !file.passing) return undefined;
    const timer = window.setTimeout(() => setFile({ step: 'none', problem: file.problem }), RESET_MS);
    return () => window.clearTimeout(timer);
  }, [file]);
  // A file that was chosen before another page was looked at.
  useEffect(() => {
    const kept = keeper?.kept();
    // oxlint-disable-next-line react/set-state-in-effect -- only after the file has been read
    if (kept) void onFiles([kept]);
    return () => {
      choice.current += 1;
      closeProofReader();
    };
  }, [onFiles, keeper]);

  /** Ends the reading. What was there before is there again. */
  const onStop = () => {
    choice.current += 1;
    closeProofReader();
    setFile(held.current ?? { step: 'none', problem: STOPPED });
  };

  return { file, onFiles, onStop };
}

/** No text that is worth recognizing is longer. */
const MOST_TEXT = 100_000;

/** Why a file with a seed phrase or a private key is refused; null for any other. */
async function secretIn(file: File): Promise<FileProblem | null> {
  const text = await file.slice(0, MOST_TEXT).text();
  if (isPsbtText(text)) return null;
  try {
    const found = await recognizeText(text);
    return found?.secret ? { message: NEVER_PASTE, detail: found.message } : null;
  } catch {
    return mayBeSecret(text) ? { message: UNCHECKED } : null;
  }
}

/** What a file that is not a PSBT contains; null when that is unknown. */
async function recognizedProblem(file: File, error: unknown, network: Network): Promise<FileProblem | null> {
  if (!(error instanceof ProofReadError) || !NO_PSBT.has(error.code)) return null;
  try {
    const text = await file.slice(0, MOST_TEXT).text();
    const found = await recognizeText(text);
    return found && { message: 'Invalid PSBT: Could not parse.', detail: otherNetworkText(found.kind, text, network) ?? found.message };
  } catch {
    return null;
  }
}

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer());

/** Another cosigner's part put together with what is there; by itself when it is none, with the reason when one was `expected`. */
async function joined(held: ReadyFile, next: ReadyFile, expected: boolean, network: Network): Promise<ReadyFile> {
  let conflict: string | null = null;
  if (isSameTransaction(held.contents.report, next.contents.report)) {
    try {
      const bytes = await combineProofs([await bytesOf(held.file), await bytesOf(next.file)]);
      const together = new File([bytes], held.file.name);
      return { step: 'ready', file: together, contents: await readProof(await bytesOf(together), network), parts: held.parts + 1 };
    } catch (error) {
      if (!(error instanceof ProofReadError) || !DO_NOT_FIT.has(error.code)) throw error;
      conflict = error.message;
    }
  }
  if (!conflict && !(expected && isSigned(next.contents.report))) return next;
  return { ...next, apart: apartSentence(held, next, conflict) };
}

/** Whether both files are parts of one transaction. A PSBT's txid is that of what is signed, so that signatures do not change it. */
export function isSameTransaction(a: PsbtReport, b: PsbtReport): boolean {
  return a.format === 'psbt' && b.format === 'psbt' && a.txid === b.txid;
}

/** Whether a file has a signature. */
function isSigned({ inputs }: Pick<PsbtReport, 'inputs'>): boolean {
  return inputs.some(({ signatureState }) => signatureState !== 'none');
}

interface Part {
  file: Pick<File, 'name'>;
  contents: { report: PsbtReport };
}

/** Why a file does not belong to the previous one, and what to do. `conflict` says where two parts differ. */
export function apartSentence(held: Part, next: Part, conflict: string | null): string {
  const [before, after] = [held.contents.report, next.contents.report];
  const reason = conflict ?? (coinsOf(before) === coinsOf(after) ? 'It pays otherwise, or says something else.' : 'It spends other coins.');
  return `${next.file.name} doesn’t belong to ${held.file.name}, and replaced it here. ${reason} Every cosigner must sign the same file: pass one on, then bring back each signed copy.`;
}

const coinsOf = ({ inputs }: PsbtReport) => JSON.stringify(inputs.map(({ txid, vout }) => `${txid}:${vout}`));
