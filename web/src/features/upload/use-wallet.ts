import { useState } from 'react';
import { signerOf, type Signer } from '../../lib/signers';

/** The key in localStorage: the wallet is chosen once on a device. */
const KEY = 'wallet';

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is closed to this page
  }
}

/** The wallet that this device's owner signs with; null until it is chosen. */
export function useWallet(): { wallet: Signer | null; choose: (id: string) => void } {
  const [id, setId] = useState(stored);
  return {
    wallet: id === null ? null : signerOf(id),
    choose: (chosen) => {
      setId(chosen);
      try {
        localStorage.setItem(KEY, chosen);
      } catch {
        // It lasts until the page is left.
      }
    },
  };
}
