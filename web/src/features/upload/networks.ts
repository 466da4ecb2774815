import type { PsbtReport } from '../../psbt';

/** What keys and addresses tell of a network: all test networks look alike. */
export type Side = 'mainnet' | 'testnet';

const sideOf = (network: string): Side => (network === 'mainnet' ? 'mainnet' : 'testnet');

type Hinted = Pick<PsbtReport, 'networkHint'>;

/** The network that a file's keys are for, when it is not the expected one; null when it is, or when they do not tell. */
export function otherNetwork({ networkHint: hint }: Hinted, network: string): Side | null {
  return hint && hint !== sideOf(network) ? hint : null;
}

/** The kinds of text that are for one network, by the package's names. */
const NOUNS: Partial<Record<string, string>> = {
  address: 'an address',
  'test-address': 'an address',
  descriptor: 'a wallet descriptor',
  'extended-public-key': 'an extended public key',
};
/** Versions of extended public keys (SLIP-0132). */
const TEST_KEY = /\b[tuvUV]pub[1-9A-HJ-NP-Za-km-z]/;
const MAIN_KEY = /\b[xyzYZ]pub[1-9A-HJ-NP-Za-km-z]/;

/** What to say of a text that belongs to a wallet on another network; null when it does not, or cannot tell. */
export function otherNetworkText(kind: string, text: string, network: string): string | null {
  const noun = NOUNS[kind];
  if (noun === undefined) return null;
  const isTest = kind === 'test-address' || TEST_KEY.test(text);
  if (!isTest && kind !== 'address' && !MAIN_KEY.test(text)) return null;
  if (sideOf(network) === (isTest ? 'testnet' : 'mainnet')) return null;
  return isTest
    ? `This is ${noun} of a test network, and only real bitcoin counts here. In the wallet that has yours, export a PSBT.`
    : `This is ${noun} for real bitcoin, and only coins of the test network ${network} count here. Export a PSBT in a ${network} wallet.`;
}
