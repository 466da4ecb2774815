import { useState } from 'react';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { otherNetwork, type Side } from './networks';
import type { ReadyFile } from './use-proof-file';

/** The other network that a file is for; null for the expected one, and once the holder has overruled the hint. */
export function useElsewhere({ file, contents }: ReadyFile, network: string): { elsewhere: Side | null; goOn: () => void } {
  const [sure, setSure] = useState<File | null>(null);
  return { elsewhere: sure === file ? null : otherNetwork(contents.report, network), goOn: () => setSure(file) };
}

interface OtherNetworkProps {
  side: Side;
  network: string;
  /** What is to be made: a proof for this board, or one for a reader. */
  what: 'This board' | 'This proof';
  /** Some wallets write the paths of another network. Absent where all is made and signed. */
  onGoOn?: (() => void) | undefined;
}

/** Says that a file is for another network, before anything is made of it or signed. */
export function OtherNetwork({ side, network, what, onGoOn }: OtherNetworkProps) {
  return (
    <Notice tone="warning" role="alert" title={side === 'testnet' ? 'These coins are on a test network' : 'These coins are real bitcoin'}>
      {side === 'testnet' ? (
        <p>{what} is about real bitcoin. Open the wallet that has yours, and save the file there.</p>
      ) : (
        <p>
          {what} is on the test network {network}. Don’t sign with real coins: use a {network} wallet.
        </p>
      )}
      {onGoOn && (
        <Button look="secondary" size="small" className="mt-2" onClick={onGoOn}>
          Not so? Go on
        </Button>
      )}
    </Notice>
  );
}
