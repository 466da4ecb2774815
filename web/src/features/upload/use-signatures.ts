import { useEffect, useState } from 'react';
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
  const [checked, setChecked] = useState<{ file: File; report: SignatureReport | null; stopped: boolean } | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!file) return undefined;
    let current = true;
    const show = (report: SignatureReport | null, stopped = false) => current && setChecked({ file, report, stopped });
    file
      .arrayBuffer()
      .then((bytes) => checkProofSignatures(new Uint8Array(bytes)))
      .then(show, (error: unknown) => show(null, isStop(error)));
    return () => {
      current = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt is the event
  }, [file, attempt]);
  const found = checked?.file === file ? checked : null;
  return {
    check: found ? found.report : undefined,
    stopped: found?.stopped ?? false,
    again: () => {
      setChecked(null);
      setAttempt(attempt + 1);
    },
  };
}
