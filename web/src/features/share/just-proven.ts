import type { ProofAccepted, ProofAnswer, Tier } from '../../api/types';

/** The latest proof of this visit, for the profile that shows the same card. */
export interface JustProven {
  answer: ProofAccepted;
  coins: number;
}

export const justProvenKey = (userId: string) => ['just-proven', userId];

/** The heading of each result. */
export const HEADINGS: Record<ProofAnswer['status'], string> = {
  success: 'Verification Successful!',
  reverified: 'Proof Refreshed',
  'already-verified': 'Already Verified',
  conflict: 'Conflict Detected',
  error: 'Verification Failed',
};

/** The note on what an accepted proof means on this plan. An unset tier counts as free. */
export function tierNote(status: ProofAnswer['status'], tier: Tier | null): string {
  if (tier === 'premium') return 'Premium plan: daily automatic re-verification keeps your proof current.';
  if (status === 'reverified') return 'Free plan: your proof is valid for another 90 days.';
  if (status === 'already-verified') return 'Free plan: this proof is still active, no changes needed.';
  return 'Free plan: proofs expire after 90 days. Upload a new PSBT before then to stay on the leaderboard.';
}
