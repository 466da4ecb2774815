/** The chains that proofs are about, and where anyone can ask about them. */
import type { Network } from '../psbt';
import networks from '../../../psbt-wasm/js/networks.json';
import table from './chains.json';

export interface Chain {
  /** Its name in proofs. */
  network: Network;
  /** The hash of its first block. */
  genesis: string;
  /** Public sources; the first is preselected. */
  sources: string[];
}

const SOURCES: Record<string, string[]> = table;

/** All of them, the usual one first. */
export const CHAINS = networks.map(({ network, genesis }) => ({ network, genesis, sources: SOURCES[network] ?? [] })) as Chain[];

/** The chain that a proof says it is about; null when nobody knows it. */
export function chainFor({ network }: { network: string }): Chain | null {
  return CHAINS.find((chain) => chain.network === network) ?? null;
}

/** The names of this computer in addresses. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Where the coins of a proof can be looked up, the preselected one first: on this computer the development server has a chain of its own. */
export function sourcesFor(proof: { network: string }): string[] {
  const chain = chainFor(proof);
  const own = chain?.network === 'regtest' && LOOPBACK.has(location.hostname) ? [`${location.origin}/development/esplora`] : [];
  return [...own, ...(chain?.sources ?? [])];
}

/** The note next to amounts of test coins, which are worth nothing. Null on mainnet. */
export function testCoinsNote(network: string): string | null {
  return network === 'mainnet' ? null : `Test coins (${network}): they are worth nothing.`;
}

/** The chain that begins with this block; null when nobody knows it. */
export function chainFrom(genesis: string): Chain | null {
  return CHAINS.find((chain) => chain.genesis === genesis) ?? null;
}
