import type { AppConfig, ProofSubmission, Utxo } from '../../api/types';
import { formatCount, formatMebibytes } from '../../lib/format';
import type { ProofContents, PsbtReport } from '../../psbt';
import { missingFor, type Stage } from './stage';

/** The inputs as submit-proof takes them; value and script default to 0 and empty. */
export function utxosOf({ inputs }: Pick<PsbtReport, 'inputs'>): Utxo[] {
  return inputs.map(({ txid, vout, valueSats, scriptPubKey }) => ({
    txid,
    vout,
    value_sats: Number(valueSats ?? 0n), // at most 21e14, which a double holds exactly
    scriptPubKey: scriptPubKey ?? '',
  }));
}

/** The body of submit-proof: everything that is sent, and nothing else. */
export function submissionOf(fileName: string, { report, psbtBase64 }: ProofContents): ProofSubmission {
  return { psbtBase64, utxos: utxosOf(report), file_name: fileName };
}

interface Conditions {
  /** How far the file is. */
  stage: Stage;
  online: boolean;
  isAuthenticated: boolean;
  /** Whether the account's statement is known. */
  hasStatement: boolean;
  limit: string | null;
}

/** The reason why a file that was read cannot be sent now, in the words for the person; null when it can. */
export function submitRefusal({ stage, online, isAuthenticated, hasStatement, limit }: Conditions): string | null {
  if (!online) return 'You are currently offline.';
  if (!isAuthenticated) return 'You must be logged in to verify a PSBT.';
  if (!hasStatement) return 'Your statement could not be fetched.';
  if (limit !== null) return 'The file is too large to send.';
  return missingFor(stage);
}

/** A limit of the server that this file would run into, told before anything is sent; null when there is none. */
export function limitProblem(
  fileName: string,
  contents: ProofContents,
  { max_body_bytes: maxBytes, max_inputs: maxInputs }: Pick<AppConfig, 'max_body_bytes' | 'max_inputs'>,
): string | null {
  const tooMany = inputProblem(contents, maxInputs);
  if (tooMany) return tooMany;
  const size = new Blob([JSON.stringify(submissionOf(fileName, contents))]).size;
  if (size <= maxBytes) return null;
  return `What would be sent is ${formatMebibytes(size)}; the limit is ${formatMebibytes(maxBytes)}. Split the file into several with fewer inputs.`;
}

/** Too many coins for one proof; null when they are not. */
export function inputProblem({ report }: Pick<ProofContents, 'report'>, maxInputs: number): string | null {
  const inputs = report.inputs.length;
  if (inputs <= maxInputs) return null;
  return `This file has ${formatCount(inputs)} inputs; at most ${formatCount(maxInputs)} can be verified at once. Choose fewer coins at a time in your wallet: several files are several proofs, and they add up.`;
}
