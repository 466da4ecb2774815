import { useQuery } from '@tanstack/react-query';
import { workQuery } from '../../lib/work-query';
import { checkProofSignatures, isStop, type SignatureReport } from '../../psbt';

/** This device's verdict on a file's signatures: nothing yet, or null when it cannot tell at all. */
export type SignatureCheck = SignatureReport | null | undefined;

export interface Signatures {
  check: SignatureCheck;
  /** Whether it cannot tell because the check was stopped. */
  stopped: boolean;
  /** Checks them once more. */
  again: () => void;
}

/** Checks the signatures of the original file in the background. It is advice: the server decides. */
export function useSignatures(file: File | null): Signatures {
  const check = async () => checkProofSignatures(new Uint8Array((await file?.arrayBuffer()) ?? []));
  const { data, isError, error, refetch } = useQuery({ ...workQuery('signatures', [file], check), enabled: file !== null });
  return { check: isError ? null : data, stopped: isStop(error), again: () => void refetch() };
}
