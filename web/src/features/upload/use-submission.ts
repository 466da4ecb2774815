import { useEffect, useRef, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { messageOf } from '../../api/client';
import { submitProof } from '../../api/mutations';
import { PROFILES_KEY, profileQuery, SUBMIT_KEY } from '../../api/queries';
import type { ProofAccepted, ProofAnswer } from '../../api/types';
import { forgetFile } from '../../lib/kept-file';
import type { ProofContents } from '../../psbt';
import { submissionOf } from './submission';

const REDIRECT_MS = 3000;

export function isAccepted(answer: ProofAnswer): answer is ProofAccepted {
  return answer.status !== 'conflict' && answer.status !== 'error';
}

interface Sent {
  fileName: string;
  contents: ProofContents;
  /** Whether anybody shall be able to check it. */
  publish: boolean;
}

/** Sends a file, refreshes the profile, and leads there. */
export function useSubmission(userId: string | null) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [stay, setStay] = useState(false);
  const [profileStale, setProfileStale] = useState(false);

  const refreshProfile = async () => {
    await queries.invalidateQueries({ queryKey: PROFILES_KEY, refetchType: 'none' });
    try {
      if (userId) await queries.fetchQuery({ ...profileQuery(userId), staleTime: 0 });
    } catch {
      setProfileStale(true);
    }
  };

  const stopping = useRef<AbortController | null>(null);
  const sending = useMutation({
    mutationKey: SUBMIT_KEY,
    mutationFn: async ({ fileName, contents, publish }: Sent): Promise<ProofAnswer> => {
      const { signal } = (stopping.current = new AbortController());
      try {
        return await submitProof(submissionOf(fileName, contents, publish), signal);
      } catch (error) {
        if (signal.aborted) throw error;
        return { status: 'error', message: `An unexpected error occurred: ${messageOf(error, 'unknown')}` };
      }
    },
    onSuccess: (answer) => {
      if (!isAccepted(answer)) return;
      forgetFile();
      void refreshProfile();
    },
  });

  const answer = sending.data ?? null;
  // Nothing new was recorded for a file that is already verified: its reader is not sent away.
  const leaving = (answer?.status === 'success' || answer?.status === 'reverified') && !stay;
  useEffect(() => {
    if (!leaving || !userId) return undefined;
    const timer = window.setTimeout(() => navigate(`/profile/${userId}`), REDIRECT_MS);
    return () => window.clearTimeout(timer);
  }, [leaving, userId, navigate]);

  return {
    answer,
    isSending: sending.isPending,
    /** Nobody waits for the answer any more. */
    stopped: sending.isError,
    stop: () => stopping.current?.abort(),
    profileStale,
    leaving,
    stayHere: () => setStay(true),
    send: (sent: Sent) => sending.mutate(sent),
  };
}
