import { MOCK_FILE } from '../../api/mutations';
import type { Proof } from '../../api/types';
import { formatSats } from '../../lib/format';

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

const NOTES: Record<string, string> = {
  renewed: 'A newer proof covers these coins.',
  spent: 'These coins have been spent.',
  'binding-withdrawn':
    'This proof was bound to your account by an amount. That way no longer counts, because others could bring such a transaction about. Make a new proof with your statement on the upload page.',
  reorganised:
    'A reorganisation of the Bitcoin chain undid these coins. They count again by themselves once a block confirms them.',
};

type Ended = Pick<Proof, 'ended_reason' | 'taken_over_sats' | 'spent_sats'>;

/** The reason why a proof, or a part of it, no longer counts; null while all of it does, or when only its time is over. */
export function endedNote({ ended_reason, taken_over_sats, spent_sats }: Ended): string | null {
  if (taken_over_sats) {
    return `${formatSats(taken_over_sats)} BTC of it no longer count for you: somebody else has proven these coins with a file bound to their account, which this one was not.`;
  }
  if (ended_reason === null && spent_sats) {
    return `${formatSats(spent_sats)} BTC of the coins of this proof have been spent, and no longer count.`;
  }
  return NOTES[ended_reason ?? ''] ?? null;
}
