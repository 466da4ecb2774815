import { SourceError } from '../../api/elsewhere';
import { LogError } from '../../lib/board-log/note';
import { ProofReadError } from '../../psbt';

/** The sentence of a thrown value, or the fallback where there is none of ours: what libraries and browsers say is for programmers. */
export function sentenceOf(error: unknown, fallback: string): string {
  return isOurs(error) && error.message !== '' ? error.message : fallback;
}

function isOurs(error: unknown): error is Error {
  if (error instanceof ProofReadError) return error.code !== 'unexpected';
  return error instanceof SourceError || error instanceof LogError;
}
