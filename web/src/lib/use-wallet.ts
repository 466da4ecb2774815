import { useState } from 'react';
import { storedText } from './storage';

/** The wallet is chosen once on a device. */
const chosenWallet = storedText('localStorage', 'wallet');

/** The wallet that this device's owner signs with. */
export function useWallet() {
  const [id, setId] = useState(chosenWallet.get);
  return {
    /** What was chosen; null until then. */
    id,
    choose: (chosen: string) => {
      setId(chosen);
      chosenWallet.set(chosen);
    },
  };
}

export type Wallet = ReturnType<typeof useWallet>;
