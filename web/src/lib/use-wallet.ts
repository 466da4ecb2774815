import { useState } from 'react';
import { signerOf, UNABLE, type Signer, type Unable } from './signers';
import { storedText } from './storage';

/** The wallet is chosen once on a device. */
const chosenWallet = storedText('localStorage', 'wallet');

export interface Wallet {
  /** What was chosen; null until then. */
  id: string | null;
  /** What signs; null until it is chosen, and for what cannot be helped. */
  signer: Signer | null;
  /** Why what was chosen cannot make a proof itself. */
  unable: Unable | null;
  choose: (id: string) => void;
}

/** The wallet that this device's owner signs with. */
export function useWallet(): Wallet {
  const [id, setId] = useState(chosenWallet.get);
  const unable = UNABLE.find((one) => one.id === id) ?? null;
  return {
    id,
    unable,
    signer: id === null || (unable && !unable.use) ? null : signerOf(unable?.use ?? id),
    choose: (chosen) => {
      setId(chosen);
      chosenWallet.set(chosen);
    },
  };
}
