import { useState } from 'react';
import { signerOf, UNABLE } from './signers';
import { storedText } from './storage';

/** The wallet is chosen once on a device. */
const chosenWallet = storedText('localStorage', 'wallet');

/** The wallet that this device's owner signs with. */
export function useWallet() {
  const [id, setId] = useState(chosenWallet.get);
  const unable = UNABLE.find((one) => one.id === id) ?? null;
  return {
    /** What was chosen; null until then. */
    id,
    /** Why what was chosen cannot make a proof itself. */
    unable,
    /** What signs; null until it is chosen, and for what cannot be helped. */
    signer: id === null || (unable && !unable.use) ? null : signerOf(unable?.use ?? id),
    choose: (chosen: string) => {
      setId(chosen);
      chosenWallet.set(chosen);
    },
  };
}

export type Wallet = ReturnType<typeof useWallet>;
