import { useState } from 'react';
import type { KeptFile } from '../../lib/kept-file';
import { useWallet } from '../../lib/use-wallet';
import type { Batch } from './many-scripts';
import { useProofFile } from './use-proof-file';

/** What a page keeps while a proof is made: the wallet, the file, and the source of several files. */
export function useMaking(limits: Parameters<typeof useProofFile>[0], keeper?: KeptFile) {
  const wallet = useWallet();
  const bringing = useProofFile(limits, keeper);
  const [batch, onBatch] = useState<Batch | null>(null);
  const next = batch && batch.done + 1 < batch.of ? { ...batch, done: batch.done + 1 } : null;
  /** The way to the next file of the source; null when there is none. */
  const more = next && {
    text: `${next.done} of ${next.of} done. Sign the next file`,
    onPress: () => {
      onBatch(next);
      void bringing.onFiles([next.source]);
    },
  };
  return { ...bringing, wallet, batch, onBatch, more };
}

export type Making = ReturnType<typeof useMaking>;
