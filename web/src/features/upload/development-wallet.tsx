import { useMutation } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { signInDevelopment } from '../../api/mutations';
import type { DevelopmentFile } from '../../api/types';
import { fromBase64, toBase64 } from '../../lib/bytes';
import { Button } from '../../ui/button';
import { FailureLine } from '../../ui/failure';

/** A file of the development chain, as if it had been chosen. */
export function fileOf({ file_name, psbt_base64 }: DevelopmentFile): File {
  return new File([fromBase64(psbt_base64)], file_name, { type: 'application/octet-stream' });
}

interface DevelopmentWalletProps {
  /** The file to sign. */
  file: Blob;
  onSigned: (file: File) => void;
}

/** Development only: signs with the keys of this account's samples, in place of the holder's own wallet. */
export default function DevelopmentWallet({ file, onSigned }: DevelopmentWalletProps) {
  const signing = useMutation({
    mutationFn: async () => fileOf(await signInDevelopment(toBase64(new Uint8Array(await file.arrayBuffer())))),
  });
  return (
    <div className="flex flex-wrap items-center gap-3">
      {/* A file that was chosen meanwhile stays: what a card that is gone has asked for is not told. */}
      <Button icon={FlaskConical} look="secondary" disabled={signing.isPending} onClick={() => signing.mutate(undefined, { onSuccess: onSigned })}>
        Sign with the Development Wallet
      </Button>
      <p className="min-w-0 flex-1 basis-56 text-muted">It has the keys of your samples, and signs in place of your own wallet.</p>
      <FailureLine error={signing.error} fallback="The development wallet gave no answer." />
    </div>
  );
}
