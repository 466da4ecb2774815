import { useEffect, useRef, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { messageOf } from '../../lib/errors';
import { submitProof } from '../../api/mutations';
import { PROFILES_KEY, profileQuery, SUBMIT_KEY } from '../../api/queries';
import type { ProofAccepted, ProofAnswer } from '../../api/types';
import { forgetFile } from '../../lib/kept-file';
import type { ProofContents } from '../../psbt';
import { justProvenKey, type JustProven } from '../share/just-proven';
import { submissionOf } from './submission';

const REDIRECT_MS = 3000;
/** What a person does who wants to stay (decisions, D18). The page itself may scroll at first. */
const TOUCHES = ['pointerdown', 'keydown', 'wheel', 'touchmove', 'focusin', 'scroll'];
const SETTLED_MS = 500;

export function isAccepted(answer: ProofAnswer): answer is ProofAccepted {
  return answer.status !== 'conflict' && answer.status !== 'error';
}

interface Sent {
  fileName: string;
  contents: ProofContents;
  /** Whether to publish the proof. */
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
  const [accepted, setAccepted] = useState<ProofAccepted | null>(null);
  const sending = useMutation({
    mutationKey: SUBMIT_KEY,
    mutationFn: async ({ fileName, contents, publish }: Sent): Promise<ProofAnswer> => {
      const { signal } = (stopping.current = new AbortController());
      try {
        return await submitProof(submissionOf(fileName, contents, publish), signal);
      } catch (error) {
        if (signal.aborted) throw error;
        return { status: 'error', again: true, message: `An unexpected error occurred: ${messageOf(error, 'unknown')}` };
      }
    },
    onSuccess: (answer, { contents }) => {
      if (!isAccepted(answer)) return;
      // Of a proof that is published afterwards the first answer says what it was.
      const shown = accepted ? { ...answer, status: accepted.status } : answer;
      setAccepted(shown);
      if (userId) queries.setQueryData<JustProven>(justProvenKey(userId), { answer: shown, coins: contents.report.inputs.length });
      forgetFile();
      void refreshProfile();
    },
  });

  const { data: latest, isPending } = sending;
  const answer = accepted ?? latest ?? null;
  // Nothing new was recorded for a file that is already verified: its reader is not sent away.
  const leaving = (answer?.status === 'success' || answer?.status === 'reverified') && !stay;
  useEffect(() => {
    if (!leaving || !userId) return undefined;
    const began = performance.now();
    const touched = ({ type }: Event) => (type !== 'scroll' || performance.now() - began > SETTLED_MS) && setStay(true);
    for (const action of TOUCHES) window.addEventListener(action, touched, { capture: true, passive: true });
    const timer = window.setTimeout(() => navigate(`/profile/${userId}`), REDIRECT_MS);
    return () => {
      window.clearTimeout(timer);
      for (const action of TOUCHES) window.removeEventListener(action, touched, { capture: true });
    };
  }, [leaving, userId, navigate]);

  return {
    answer,
    /** Why a proof that counts was not published. */
    notPublished: accepted && latest && !isAccepted(latest) ? latest.message || 'Verification failed.' : null,
    isSending: isPending,
    /** Nobody waits for the answer any more. */
    stopped: sending.isError,
    stop: () => stopping.current?.abort(),
    profileStale,
    leaving,
    stayHere: () => setStay(true),
    send: (sent: Sent) => sending.mutate(sent),
  };
}
