import type { MadeProof, ProofOptions } from '../../psbt';
import { formatCount } from '../../lib/format';
import { Select } from '../../ui/select';

/** A source whose proof is made in several files, one after the other: the page keeps it. */
export interface Batch {
  source: File;
  of: number;
  /** Files that count already. */
  done: number;
}

/** How many own outputs Ledger accepts (proofs, section 3). */
export const FEW = 10;

/** How a proof over more addresses than some devices take is made. */
export type Shape = { kind: 'one' } | { kind: 'first-ten' } | { kind: 'split'; part: number };

export function optionsOf(shape: Shape): Pick<ProofOptions, 'derivations' | 'split' | 'part'> {
  switch (shape.kind) {
    case 'one':
      return {};
    case 'first-ten':
      return { derivations: 'first-ten' };
    case 'split':
      return { split: FEW, part: shape.part };
  }
}

interface ManyScriptsProps {
  proof: Pick<MadeProof, 'partCount' | 'scriptCount'>;
  shape: Shape;
  onChange: (shape: Shape) => void;
}

/** Devices refuse or warn when a transaction pays many addresses of their own: the ways round it. */
export function ManyScripts({ proof, shape, onChange }: ManyScriptsProps) {
  const first: Shape = { kind: 'split', part: 0 };
  const ways: [Shape, string][] = [
    [{ kind: 'one' }, 'One file. Ledger takes at most ten change addresses in it; Trezor and BitBox warn.'],
    [{ kind: 'first-ten' }, 'One file that names the first ten as yours. A device shows the others as payments: compare them.'],
    [shape.kind === 'split' ? shape : first, 'Several files of ten addresses. Each is a separate proof: sign and bring back one after the other.'],
  ];
  return (
    <fieldset className="rounded-xl border border-line p-4">
      <legend className="px-1 font-semibold">Your coins lie on more than ten addresses</legend>
      {ways.map(([way, words]) => (
        <label key={way.kind} className="flex min-h-10 items-start gap-2.5 py-1.5">
          <input
            type="radio"
            name="shape"
            className="mt-0.5 size-4.5 accent-accent"
            checked={shape.kind === way.kind}
            onChange={() => onChange(way)}
          />
          {words}
        </label>
      ))}
      {shape.kind === 'split' && (
        <Select
          label="File"
          value={shape.part}
          options={Array.from({ length: proof.partCount }, (_, part) => [part, `${formatCount(part + 1)} of ${formatCount(proof.partCount)}`])}
          onChange={(part) => onChange({ kind: 'split', part: Number(part) })}
        />
      )}
    </fieldset>
  );
}
