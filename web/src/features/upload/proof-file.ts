import { formatMebibytes } from '../../lib/format';
import { messageOf } from '../../lib/errors';
import { PSBT_ENDINGS } from '../../lib/psbt-text';
import { isRefusal, ProofReadError } from '../../psbt';

/** A problem with a file, as the screen tells it. */
export interface FileProblem {
  message: string;
  /** The specific reason, under the message. */
  detail?: string;
  /** What to do in the wallet about it, where the reason does not say. */
  next?: string;
}

/** The problem with a file before it is read; null when nothing is. */
export function fileProblem(file: Pick<File, 'name' | 'size'>, maxBytes: number): FileProblem | null {
  const name = file.name.toLowerCase();
  if (!PSBT_ENDINGS.some((extension) => name.endsWith(extension))) {
    return { message: 'Please upload a valid PSBT file (.psbt extension)' };
  }
  if (file.size > maxBytes) {
    return {
      message: `This file is too large: ${formatMebibytes(file.size)}.`,
      detail: `Files up to ${formatMebibytes(maxBytes)} can be read. A proof of your holdings is usually a few KB.`,
    };
  }
  return null;
}

const NO_COINS = 'Select your coins in your wallet, and save the file again.';
const CONTRADICTS = 'Save the file again in the wallet that holds the coins.';
/** By the package's codes. */
const NEXT: Partial<Record<string, string>> = {
  'no-inputs': NO_COINS,
  'no-coins': NO_COINS,
  'no-outputs': 'Pay to an address of your own in your wallet, and save the file again.',
  'file-too-short': 'The file is incomplete. Export it again.',
  'invalid-magic': 'This isn’t a PSBT. In your wallet, choose "Save" or "Export PSBT".',
  'could-not-parse': 'The file is incomplete or was changed. Export it again.',
  'previous-transaction-mismatch': CONTRADICTS,
  'previous-output-missing': CONTRADICTS,
  'utxo-mismatch': CONTRADICTS,
};

const COULD_NOT_PARSE = 'Invalid PSBT: Could not parse.';

/** A failed reading, in the words for the person: the same sentence always, and the reason under it. */
export function readProblem(error: unknown): FileProblem {
  if (!(error instanceof ProofReadError)) return { message: 'The browser couldn’t read this file. Choose it again.' };
  if (!isRefusal(error)) return { message: messageOf(error, 'The file reader failed. Your file may be fine: choose it again, or reload the page.') };
  const detail = error.message.replace(COULD_NOT_PARSE, '').trim();
  const next = NEXT[error.code];
  return { message: COULD_NOT_PARSE, ...(detail === '' ? {} : { detail }), ...(next === undefined ? {} : { next }) };
}
