import { formatMebibytes } from '../../lib/format';
import { ProofReadError, READER_UNAVAILABLE } from '../../psbt';

/** A problem with a file, as the screen tells it. */
export interface FileProblem {
  message: string;
  /** The specific reason, under the message. */
  detail?: string;
}

/** `.txn` beside `.psbt`: Electrum and Coldcard export a completed transaction only so (decisions, D13). */
const EXTENSIONS = ['.psbt', '.txn'];
export const ACCEPT = EXTENSIONS.join(',');

/** The problem with a file before it is read; null when nothing is. */
export function fileProblem(file: Pick<File, 'name' | 'size'>, maxBytes: number): FileProblem | null {
  const name = file.name.toLowerCase();
  if (!EXTENSIONS.some((extension) => name.endsWith(extension))) {
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

const COULD_NOT_PARSE = 'Invalid PSBT: Could not parse.';

/** A failed reading, in the words for the person: the same sentence always, and the reason under it. */
export function readProblem(error: unknown): FileProblem {
  if (!(error instanceof ProofReadError)) return { message: 'This file could not be read.' };
  if (error.code === READER_UNAVAILABLE) return { message: error.message };
  const detail = error.message.replace(COULD_NOT_PARSE, '').trim();
  return detail === '' ? { message: COULD_NOT_PARSE } : { message: COULD_NOT_PARSE, detail };
}
