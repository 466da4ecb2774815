import { useEffect, useState } from 'react';
import { checkProofSignatures, type SignatureReport } from '../../psbt';

/** This device's verdict on a file's signatures: nothing yet, or null when it cannot tell at all. */
export type SignatureCheck = SignatureReport | null | undefined;

/** Checks the signatures of the original file in the background. It is advice: the server decides. */
export function useSignatures(file: File | null): SignatureCheck {
  const [checked, setChecked] = useState<{ file: File; report: SignatureReport | null } | null>(null);
  useEffect(() => {
    if (!file) return undefined;
    let current = true;
    const show = (report: SignatureReport | null) => current && setChecked({ file, report });
    file
      .arrayBuffer()
      .then((bytes) => checkProofSignatures(new Uint8Array(bytes)))
      .then(show, () => show(null));
    return () => {
      current = false;
    };
  }, [file]);
  return checked?.file === file ? checked.report : undefined;
}
