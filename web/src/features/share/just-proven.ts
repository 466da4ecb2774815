import { skipToken, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { submitProof } from '../../api/mutations';
import { PROFILES_KEY } from '../../api/queries';
import type { ProofAccepted, ProofAnswer, ProofSubmission, Tier } from '../../api/types';
import { PROOF_DAYS } from '../../lib/expiry';
import { UserFacingError } from '../../lib/errors';
import { PROVEN_KEY } from './drop-proven';

/** The latest proof of this tab. It is only in memory, until the session ends (decisions, D18). */
export interface JustProven {
  answer: ProofAccepted;
  coins: number;
  /** Whether the file carries the statement; only then can it be published. */
  bound: boolean;
  /** Whether it is a signed message. */
  message: boolean;
  /** The stripped file as it was sent; null once it is published. */
  sent: ProofSubmission | null;
  /** Whether the profile has opened with it. */
  met: boolean;
}

const keyOf = (userId: string) => [...PROVEN_KEY, userId];
/** Null while the first proof is on its way. */
type Slot = JustProven | null;

/** Makes room for the answer to a file. Without it the answer is not kept: the session has ended in the meantime. */
export function expectProof(queries: QueryClient, userId: string): void {
  queries.setQueryDefaults(PROVEN_KEY, { gcTime: Infinity, staleTime: Infinity });
  queries.setQueryData<Slot>(keyOf(userId), (before) => before ?? null);
}

export function keepProven(queries: QueryClient, userId: string, proven: JustProven): void {
  queries.setQueryData<Slot>(keyOf(userId), (before) => (before === undefined ? undefined : proven));
}

/** Notes that the profile has opened with the proof. */
export function meetProven(queries: QueryClient, userId: string): void {
  queries.setQueryData<Slot>(keyOf(userId), (before) => before && { ...before, met: true });
}

export function useJustProven(userId: string): JustProven | null {
  return useQuery<Slot>({ queryKey: keyOf(userId), queryFn: skipToken, gcTime: Infinity, staleTime: Infinity }).data ?? null;
}

/** Publishes the latest proof with the file in memory. */
export function usePublish(userId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (sent: ProofSubmission): Promise<ProofAccepted> => {
      const answer = await submitProof({ ...sent, publish: true });
      if (!isAccepted(answer) || !answer.published) throw new UserFacingError(answer.message || 'Verification failed.');
      return answer;
    },
    onSuccess: ({ proof_id: id }) => {
      // The first answer says what the proof was.
      queries.setQueryData<Slot>(keyOf(userId), (before) => (before?.answer.proof_id === id ? { ...before, sent: null, answer: { ...before.answer, published: true } } : undefined));
      return queries.invalidateQueries({ queryKey: PROFILES_KEY });
    },
  });
}

export function isAccepted(answer: ProofAnswer): answer is ProofAccepted {
  return answer.status !== 'conflict' && answer.status !== 'error';
}

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
  if (status === 'reverified') return `Free plan: your proof is valid for another ${PROOF_DAYS} days.`;
  if (status === 'already-verified') return 'Free plan: this proof is still active, no changes needed.';
  return `Free plan: proofs expire after ${PROOF_DAYS} days. Upload a new PSBT before then to stay on the leaderboard.`;
}
