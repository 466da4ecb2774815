import type { ProofChallenge } from '../../api/types';
import { plural } from '../../lib/format';
import type { PsbtReport, SignatureReport } from '../../psbt';
import type { Binding } from './binding';

/** How far a chosen file is on its way from a wallet to the server. */
export type Stage =
  /** Not a proof, but a file to sign can be made from it. */
  | { at: 'make'; signed: boolean }
  /** It is a proof that nobody has signed. */
  | { at: 'sign' }
  /** Some have signed it. Inputs count from 0. */
  | { at: 'cosign'; waiting: Waiting[] }
  /** One of its signatures is invalid. */
  | { at: 'mend' }
  | { at: 'prove' };

/** An input that waits for signatures. */
export interface Waiting {
  input: number;
  /** Signatures there are, and how many the script wants; null when that is not known. */
  has: number;
  needed: number | null;
}

interface Known {
  report: Pick<PsbtReport, 'inputs'>;
  binding: Binding | null;
  /** Nothing while they are checked, or when nothing can check them. */
  check: SignatureReport | null | undefined;
  /** Whether the server takes files that say nothing of whose they are. */
  mode: ProofChallenge['binding'];
}

export function stageOf({ report, binding, check, mode }: Known): Stage {
  const { inputs } = report;
  const unsigned = unsignedOf(report);
  if (isSource(report, binding, mode)) return { at: 'make', signed: unsigned.length < inputs.length };
  if (unsigned.length === inputs.length) return { at: 'sign' };
  const waiting = waitingInputs(unsigned, check);
  const wrong = check?.inputs.some(({ status, signatures }) => status === 'invalid' || (status === 'valid' && signatures.some((one) => !one.commitsToAll)));
  if (wrong) return { at: 'mend' };
  return waiting.length > 0 ? { at: 'cosign', waiting } : { at: 'prove' };
}

/** Whether a file is not a proof, but a proof can be made from it. */
export function isSource(report: Known['report'], binding: Known['binding'], mode: Known['mode']): boolean {
  if (binding === null || binding.state === 'bound' || binding.state === 'unknown') return false;
  return binding.state !== 'unbound' || mode !== 'optional' || unsignedOf(report).length > 0;
}

/** The inputs without a signature. */
export function unsignedOf({ inputs }: Known['report']): number[] {
  return inputs.flatMap(({ signatureState }, input) => (signatureState === 'none' ? [input] : []));
}

function waitingInputs(unsigned: number[], check: Known['check']): Waiting[] {
  const without = unsigned.map((input) => ({ input, has: 0, needed: check?.inputs[input]?.needed ?? null }));
  const incomplete = (check?.inputs ?? []).flatMap(({ status, needed, signatures }, input) =>
    status === 'incomplete' && !unsigned.includes(input)
      ? [{ input, has: signatures.filter(({ valid }) => valid).length, needed }]
      : [],
  );
  return [...without, ...incomplete].toSorted((a, b) => a.input - b.input);
}

/** What a file lacks, shown next to the button; null when it can be sent. */
export function missingFor(stage: Stage): string | null {
  switch (stage.at) {
    case 'make':
      return 'Sign it in your wallet, then drop the signed file here.';
    case 'sign':
      return 'This file is not signed yet.';
    case 'cosign':
      return `${plural(stage.waiting.length, 'input')} of this file ${stage.waiting.length === 1 ? 'waits' : 'wait'} for signatures.`;
    case 'mend':
      return 'A signature of this file is not valid. See what to do below.';
    case 'prove':
      return null;
  }
}
