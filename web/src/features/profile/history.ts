import { MOCK_FILE } from '../../api/mutations';
import type { Profile, Proof } from '../../api/types';
import { describeExpiry, expiryOf, type Expiry } from '../../lib/expiry';
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

/** The label of a proof's status chip. */
export function statusLabel(status: string): string {
  if (status === 'reverified') return 'Re-verified';
  if (status === 'partial-reverify') return 'Partial Re-verify';
  return 'Initial Verification';
}

const ENDS: Record<string, string> = {
  renewed: 'Replaced',
  spent: 'Spent',
  'taken-over': 'Taken over',
  reorganized: 'Undone',
};

/** Whether a proof counts. 'Expired' only means that its time is over. */
export function standing({ active, ended_reason }: Pick<Proof, 'active' | 'ended_reason'>): string {
  return active ? 'Active' : (ENDS[ended_reason ?? ''] ?? 'Expired');
}

/** The active proof that ends first; null when none is active. */
export function nextToExpire<T extends Pick<Proof, 'active' | 'expires_at'>>(proofs: T[]): T | null {
  const active = proofs.filter((proof) => proof.active);
  return active.toSorted((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at))[0] ?? null;
}

type Shown = Pick<Profile, 'verified' | 'last_verified'>;

/** The time left in a profile's header, or why it ended early. Only the owner has proofs, which are more precise than the row. */
export function timeLeft({ verified, last_verified: last }: Shown, proofs: Proof[] | undefined, now: Date): Omit<Expiry, 'expired'> | null {
  if (!last) return null;
  const next = nextToExpire(proofs ?? []);
  if (verified) return describeExpiry(next ? new Date(next.expires_at) : expiryOf(last), now);
  const byTime = describeExpiry(expiryOf(last), now);
  if (byTime.expired) return byTime;
  const [newest] = proofs ?? [];
  const why = ENDS[newest?.ended_reason ?? ''];
  return { text: why ?? 'No longer verified', tone: 'danger' };
}

const NOTES: Record<string, string> = {
  renewed: 'A newer proof covers these coins.',
  spent: 'These coins have been spent.',
  reorganized:
    'A reorganization of the Bitcoin chain undid these coins. They count again once a block confirms them.',
};

type Ended = Pick<Proof, 'ended_reason' | 'taken_over_sats' | 'spent_sats'>;

/** Why a proof, or a part of it, no longer counts; null while it does, and after an ordinary end. */
export function endedNote({ ended_reason, taken_over_sats, spent_sats }: Ended): string | null {
  if (taken_over_sats) {
    return `${formatSats(taken_over_sats)} BTC of this no longer counts for you: another account proved these coins with a file that carries its statement.`;
  }
  if (ended_reason === null && spent_sats) {
    return `${formatSats(spent_sats)} BTC of this proof has been spent and no longer counts.`;
  }
  return NOTES[ended_reason ?? ''] ?? null;
}
