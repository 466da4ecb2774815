import { useEffect, useRef, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { messageOf } from '../../lib/errors';
import { submitProof } from '../../api/mutations';
import { PROFILES_KEY, profileQuery, SUBMIT_KEY } from '../../api/queries';
import type { ProofAnswer, ProofSubmission } from '../../api/types';
import { forgetFile } from '../../lib/kept-file';
import { expectProof, isAccepted, keepProven } from '../share/just-proven';

const REDIRECT_MS = 3000;
/** What a person does who wants to stay (decisions, D18). The page itself may scroll at first. */
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove', 'focusin', 'scroll'];
/** What may still come of the press that sent the file. */
const LATE = new Set(['scroll', 'pointermove']);
const SETTLED_MS = 500;

interface Sent {
  sent: ProofSubmission;
  coins: number;
  bound: boolean;
  message: boolean;
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
    mutationFn: async ({ sent }: Sent): Promise<ProofAnswer> => {
      const { signal } = (stopping.current = new AbortController());
      if (userId) expectProof(queries, userId);
      try {
        return await submitProof(sent, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        return { status: 'error', again: true, message: `An unexpected error occurred: ${messageOf(error, 'unknown')}` };
      }
    },
    onSuccess: (answer, proof) => {
      if (!isAccepted(answer)) return;
      if (userId) keepProven(queries, userId, { ...proof, answer, met: false });
      forgetFile();
      void refreshProfile();
    },
  });

  const { data: answer = null, isPending } = sending;
  // Nothing new was recorded for a file that is already verified: its reader is not sent away.
  const leaving = (answer?.status === 'success' || answer?.status === 'reverified') && !stay;
  useEffect(() => {
    if (!leaving || !userId) return undefined;
    const began = performance.now();
    const touched = (event: Event) => {
      // Browsers send moves of a pointer that rests while the page changes below it.
      if (event instanceof MouseEvent && event.type === 'pointermove' && event.movementX === 0 && event.movementY === 0) return;
      if (!LATE.has(event.type) || performance.now() - began > SETTLED_MS) setStay(true);
    };
    for (const action of TOUCHES) window.addEventListener(action, touched, { capture: true, passive: true });
    const timer = window.setTimeout(() => navigate(`/profile/${userId}`), REDIRECT_MS);
    return () => {
      window.clearTimeout(timer);
      for (const action of TOUCHES) window.removeEventListener(action, touched, { capture: true });
    };
  }, [leaving, userId, navigate]);

  return {
    answer,
    isSending: isPending,
    /** Nobody waits for the answer any more. */
    stopped: sending.isError,
    stop: () => stopping.current?.abort(),
    profileStale,
    leaving,
    stayHere: () => setStay(true),
    send: sending.mutate,
  };
}
