import { useWork } from '../../lib/use-work';
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
  const { value, again } = useWork(async () => {
    try {
      return file && { check: await checkProofSignatures(new Uint8Array(await file.arrayBuffer())), stopped: false };
    } catch (error) {
      return { check: null, stopped: isStop(error) };
    }
  }, [file]);
  return { check: value?.check, stopped: value?.stopped ?? false, again };
}
