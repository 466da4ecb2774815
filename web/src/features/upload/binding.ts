import type { PsbtReport } from '../../psbt';

export type { Binding, Fault } from '../../psbt';

/** BIP-0322: the only output of a proof of funds has no value and says nothing. */
export function isMessage({ outputs }: Pick<PsbtReport, 'outputs'>): boolean {
  return outputs.every(({ valueSats, scriptPubKey }) => valueSats === 0n && scriptPubKey === '6a');
}
