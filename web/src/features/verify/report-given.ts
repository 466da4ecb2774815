/** What the report is made of, from what the page knows. */
import { readHeader } from '../../lib/block-header';
import type { JointProof } from '../../psbt';
import type { Asked, Verdict } from './judge';
import { coinsOf } from './proof';
import type { ReportFile, ReportGiven } from './report-data';
import type { Told } from './told';
import type { CoinCheck } from './use-coins';
import type { BroughtProof } from './use-proof';

export interface ReportKnown {
  proofs: BroughtProof[];
  verdicts: Verdict[];
  /** The result over all files, as the page shows it. */
  result: Told;
  state: ReportGiven['state'];
  /** Null for a single file. */
  joint: JointProof | null;
  /** The request that the reader gave; null until it was typed. */
  words: string | null;
  askedFor: (at: number) => Asked | null;
  /** The newest whole check; null when nobody asked. */
  check: CoinCheck | null;
  prepared: Date;
}

/** The report of a reader who has checked the files. */
export function reportGiven({ proofs, verdicts, result, state, joint, words, askedFor, check, prepared }: ReportKnown): ReportGiven {
  const [first] = proofs;
  const files = proofs.map((brought, at) => fileIn(brought, verdicts[at]?.state === 'nobody' ? 'open' : (verdicts[at]?.state ?? 'open'), check ? askedFor(at) : null));
  const [only] = files;
  const single = proofs.length === 1 && only && state !== 'false' ? totalOf(only) : null;
  const names = joint?.names ?? [];
  return {
    by: 'reader',
    request: words ?? first?.proof.statement.subject ?? '',
    compared: words !== null,
    network: first?.proof.network ?? '',
    files,
    result,
    state,
    total: joint ? joint.amountSats : single,
    sums: names.flatMap(({ name, coinCount: coins, amountSats: sats }) => (sats === null ? [] : { name, coins, sats })),
    check,
    price: null,
    prepared,
  };
}

/** What counts of a file that is right, and what it states until then. */
function totalOf({ at, state, coins }: ReportFile): bigint {
  return at && state === 'right' ? at.verdict.stoodSats : coins.reduce((sum, { sats }) => sum + sats, 0n);
}

function fileIn({ proof, checked, sha256, file }: BroughtProof, state: ReportFile['state'], asked: Asked | null): ReportFile {
  const coins = coinsOf(proof);
  const virtual = proof.inputs.length - coins.length;
  const { height, header } = proof.statement.block;
  return {
    name: file.name,
    bytes: file.size,
    sha256: sha256 ?? '',
    holder: proof.statement.name,
    line: proof.statement.text,
    block: { height, time: readHeader(header)?.time ?? 0, isDated: asked ? asked.dating != null && asked.dating === checked?.check.block.hash : null },
    coins: coins.map(({ txid, vout, value_sats: sats }, at) => ({
      txid,
      vout,
      sats: BigInt(sats),
      address: checked?.report.inputs[at + virtual]?.address ?? null,
      conditions: checked?.check.conditions?.[at + virtual] ?? null,
    })),
    at: asked?.at ?? null,
    state,
  };
}
