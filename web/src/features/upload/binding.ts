import type { ProofChallenge } from '../../api/types';
import type { PsbtReport } from '../../psbt';

/** Whether a file says whose it is. `unknown`: the file itself does not tell; the server will. */
export type Binding =
  | { state: 'bound' }
  | { state: 'unknown' }
  /** `output` counts from 0. */
  | { state: 'unbound'; missing: 'amount' }
  | { state: 'unbound'; missing: 'own-script' | 'own-outputs'; output: number };

type Challenge = Pick<ProofChallenge, 'amount_sats' | 'previous_amount_sats'>;

/**
 * Binding by amount, as the server decides it: one output is exactly the challenge amount and pays a script that an
 * input spends; and either all inputs spend one script, or every output (an OP_RETURN aside) pays a script that an
 * input spends. Here it is a hint, so that a mistake is seen before anything is sent.
 */
export function bindingOf({ inputs, outputs }: Pick<PsbtReport, 'inputs' | 'outputs'>, challenge: Challenge): Binding {
  // A BIP-322 proof of funds pays nothing: it is bound by its message, which the server knows.
  if (outputs.every(({ valueSats }) => valueSats === 0n)) return { state: 'unknown' };
  if (inputs.some(({ scriptPubKey }) => scriptPubKey === null)) return { state: 'unknown' };

  const spent = new Set(inputs.map(({ scriptPubKey }) => scriptPubKey));
  const { amount_sats: now, previous_amount_sats: before } = challenge;
  const amounts = new Set([BigInt(now), BigInt(before ?? now)]);
  const withAmount = outputs.flatMap(({ valueSats }, output) => (amounts.has(valueSats) ? [output] : []));
  const first = withAmount[0];
  if (first === undefined) return { state: 'unbound', missing: 'amount' };
  const own = (output: number) => spent.has(outputs[output]?.scriptPubKey ?? null);
  if (!withAmount.some(own)) return { state: 'unbound', missing: 'own-script', output: first };
  if (spent.size === 1) return { state: 'bound' };
  const foreign = outputs.findIndex(({ scriptType }, output) => scriptType !== 'op-return' && !own(output));
  return foreign === -1 ? { state: 'bound' } : { state: 'unbound', missing: 'own-outputs', output: foreign };
}

/** The sentence on what a file lacks. */
export function bindingSentence(binding: Extract<Binding, { state: 'unbound' }>): string {
  switch (binding.missing) {
    case 'amount':
      return 'No output has your challenge amount.';
    case 'own-script':
      return `Output ${binding.output + 1} has your challenge amount, but pays an address that this file does not spend from.`;
    case 'own-outputs':
      return `Output ${binding.output + 1} pays an address that this file does not spend from.`;
  }
}
