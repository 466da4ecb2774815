import { useState } from 'react';
import { signerOf, type Signer } from '../../lib/signers';
import { storedText } from '../../lib/storage';

/** The wallet is chosen once on a device. */
const chosenWallet = storedText('localStorage', 'wallet');

/** The wallet that this device's owner signs with; null until it is chosen. */
export function useWallet(): { wallet: Signer | null; choose: (id: string) => void } {
  const [id, setId] = useState(chosenWallet.get);
  return {
    wallet: id === null ? null : signerOf(id),
    choose: (chosen) => {
      setId(chosen);
      chosenWallet.set(chosen);
    },
  };
}
