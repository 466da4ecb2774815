/** Files of several cosigners: whether they are parts of one transaction, and what is wrong when they are not. */
import type { PsbtReport } from '../../psbt';

/** Whether both files are parts of one transaction. A PSBT's txid is that of what is signed, so that signatures do not change it. */
export function isSameTransaction(a: PsbtReport, b: PsbtReport): boolean {
  return a.format === 'psbt' && b.format === 'psbt' && a.txid === b.txid;
}

/** Whether a file has a signature. */
export function isSigned({ inputs }: Pick<PsbtReport, 'inputs'>): boolean {
  return inputs.some(({ signatures }) => signatures !== 'none');
}

interface Part {
  file: Pick<File, 'name'>;
  contents: { report: PsbtReport };
}

/** Why a file does not belong to the previous one, and what to do. `conflict` says where two parts differ. */
export function apartSentence(held: Part, next: Part, conflict: string | null): string {
  const [before, after] = [held.contents.report, next.contents.report];
  const reason = conflict ?? (coinsOf(before) === coinsOf(after) ? 'It pays otherwise, or says something else.' : 'It spends other coins.');
  return `${next.file.name} does not go together with ${held.file.name}, and has taken its place here. ${reason} Every cosigner must sign the very same file: pass one on, and bring back what each has signed.`;
}

const coinsOf = ({ inputs }: PsbtReport) => JSON.stringify(inputs.map(({ txid, vout }) => `${txid}:${vout}`));
