import { MOCK_FILE } from '../../api/mutations';
import type { Proof } from '../../api/types';

const MOCK_AMOUNT = 1.25;
const TOLERANCE = 0.0001;

type NamedAmount = Pick<Proof, 'file_name' | 'bitcoin_amount'>;

/** Whether this is the mock proof of development mode. */
export function isMockProof({ file_name, bitcoin_amount }: NamedAmount): boolean {
  return file_name === MOCK_FILE && Math.abs(bitcoin_amount - MOCK_AMOUNT) <= TOLERANCE;
}

/** The proofs of the history list with their numbers: newest first, the newest with the highest number. */
export function numberedHistory<T extends NamedAmount>(newestFirst: T[]): { number: number; proof: T }[] {
  const shown = newestFirst.filter((proof) => !isMockProof(proof));
  return shown.map((proof, index) => ({ number: shown.length - index, proof }));
}

/** The words of a proof's status chip. */
export function statusLabel(status: string): string {
  if (status === 'reverified') return 'Re-verified';
  if (status === 'partial-reverify') return 'Partial Re-verify';
  return 'Initial Verification';
}
