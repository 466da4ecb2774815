/** The chains that proofs are about, and where anyone can ask about them. */
import type { Network } from '../psbt';

export interface Chain {
  /** As reports show addresses. */
  network: Network;
  /** Its names in proofs. */
  names: string[];
  /** Of the first block. */
  genesis: string[];
  /** Public sources; the first is preselected. */
  sources: string[];
}

/** All of them, the usual one first. */
export const CHAINS: Chain[] = [
  {
    network: 'mainnet',
    names: ['mainnet', 'bitcoin', 'main'],
    genesis: ['000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
    sources: ['https://blockstream.info/api', 'https://mempool.space/api'],
  },
  {
    network: 'testnet',
    names: ['testnet', 'testnet4', 'test'],
    genesis: [
      '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
      '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
    ],
    sources: ['https://mempool.space/testnet4/api', 'https://blockstream.info/testnet/api'],
  },
  {
    network: 'signet',
    names: ['signet'],
    genesis: ['00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6'],
    sources: ['https://blockstream.info/signet/api', 'https://mempool.space/signet/api'],
  },
  {
    network: 'regtest',
    names: ['regtest'],
    genesis: ['0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'],
    sources: [],
  },
];

/** The chain that a proof says it is about; null when nobody knows it. */
export function chainFor({ network }: { network: string }): Chain | null {
  return CHAINS.find(({ names }) => names.includes(network)) ?? null;
}

/** The note next to amounts of test coins, which are worth nothing. Null on mainnet. */
export function testCoinsNote(network: string): string | null {
  return chainFor({ network })?.network === 'mainnet' ? null : `Test coins (${network}): they are worth nothing.`;
}

/** The chain that begins with this block; null when nobody knows it. */
export function chainFrom(genesis: string): Chain | null {
  return CHAINS.find((chain) => chain.genesis.includes(genesis)) ?? null;
}
