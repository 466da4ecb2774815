/** One result for the private proofs that a reader has brought together. */
import { useQuery } from '@tanstack/react-query';
import { formatCount, formatSats, plural } from '../../lib/format';
import { workQuery } from '../../lib/work-query';
import { joinProofs, type JointProof, type JoinedFile } from '../../psbt';
import { keyOf, outpointOf } from './coins';
import type { Asked, Verdict } from './judge';
import { coinsOf } from './proof';
import { inARow, theirs, told, type Told } from './told';
import type { BroughtProof } from './use-proof';

/** The most files that are checked together, and the most bytes of them. */
export const MOST_FILES = 20;
export const MOST_BYTES_TOGETHER = 64 * 1024 * 1024;

const STATUSES = { right: 'right', open: 'unchecked', nobody: 'unchecked', false: 'false' } as const;

/** Whether a coin is in the sum: it stood at the date, or without one it is unspent. */
function counts(asked: Asked | null, coin: Parameters<typeof keyOf>[0], at: number): boolean {
  if (asked?.at) return asked.at.verdict.coins[at] === 'stood';
  return ['unspent', 'leaving'].includes(asked?.states.get(keyOf(coin)) ?? '');
}

interface JointGiven {
  proofs: BroughtProof[];
  verdicts: Verdict[];
  askedFor: (at: number) => Asked | null;
  /** Whether all names are one client of the reader. */
  oneClient: boolean;
  enabled: boolean;
}

/** The package's result for several proofs; null while there is none. */
export function useJoint({ proofs, verdicts, askedFor, oneClient, enabled }: JointGiven): JointProof | null {
  const files = proofs.map(({ proof, sha256 }, at): JoinedFile => {
    const { subject: request, name } = proof.statement;
    const coins = coinsOf(proof).map((coin, place) => ({ txid: coin.txid, vout: coin.vout, valueSats: BigInt(coin.value_sats), counts: counts(askedFor(at), coin, place) }));
    return { sha256: sha256 ?? '', network: proof.network as JoinedFile['network'], request, name, status: STATUSES[verdicts[at]?.state ?? 'open'], coins };
  });
  const known = JSON.stringify(files, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return useQuery({ ...workQuery('joint', [known, oneClient], () => joinProofs(files, { oneClient })), enabled }).data ?? null;
}

/** A file that is no private proof, and why. */
export interface Unread {
  file: File;
  why: string;
}

interface JointKnown {
  joint: JointProof | null;
  proofs: BroughtProof[];
  unread: Unread[];
  verdicts: Verdict[];
  /** The request that the reader gave; null until it was typed. */
  words: string | null;
}

export interface JointResult {
  state: 'right' | 'open' | 'false';
  title: string;
  sentence: Told;
}

/** What a reader reads first of several files. */
export function jointResult({ joint, proofs, unread, verdicts, words }: JointKnown): JointResult {
  const nameAt = (at: number) => theirs(proofs[at]?.file.name ?? '');
  const [other] = unread;
  if (other) return { state: 'false', title: 'One of these files is no private proof', sentence: told`${theirs(other.file.name)}: ${other.why} There is no sum.` };
  if (!joint) return { state: 'open', title: 'Checking the files...', sentence: told`` };
  const at = joint.file ?? 0;
  const found = verdicts[at]?.sentence ?? told``;
  switch (joint.reason) {
    case 'false-file':
      return { state: 'false', title: words !== null && words !== proofs[at]?.proof.statement.subject ? 'One of these proofs is not for you' : 'One of these proofs is false', sentence: told`${nameAt(at)}: ${found} There is no sum.` };
    case 'other-request':
      return { state: 'false', title: 'These files are for different requests', sentence: told`${nameAt(at)} was made for “${theirs(proofs[at]?.proof.statement.subject ?? '')}”. Proofs for different requests may be of different people. There is no sum.` };
    case 'other-network':
      return { state: 'false', title: 'These files are about different networks', sentence: told`${nameAt(at)} is about ${theirs(proofs[at]?.proof.network ?? '')}. There is no sum.` };
    case 'same-file':
      return { state: 'open', title: 'The same file is here twice', sentence: told`${nameAt(at)} is the same as another file. Remove one of them.` };
    case 'same-coin':
      return { state: 'open', title: 'Two files name the same coin', sentence: told`${plural(joint.shared.length, 'coin')} in several files, such as ${joint.shared[0] ? outpointOf(joint.shared[0]) : ''}: each counts once. ${sumsOf(joint)}` };
    case 'too-many':
      return { state: 'open', title: 'Too many files or coins', sentence: told`At most ${formatCount(MOST_FILES)} files with 5,000 coins are checked together.` };
    case 'unchecked-file':
      if (words === null) return { state: 'open', title: 'Are these proofs for you?', sentence: told`Paste the request you gave the holder: only it shows that the proofs are for you.` };
      return { state: 'open', title: 'Not everything is checked yet', sentence: told`${nameAt(at)}: ${found}` };
    default:
      return { state: 'right', title: 'These proofs are for you, and they are right', sentence: sumsOf(joint) };
  }
}

function sumsOf({ names, amountSats }: JointProof): Told {
  const coins = names.reduce((sum, { coinCount }) => sum + coinCount, 0);
  if (amountSats !== null) return told`At least ${formatSats(amountSats)} BTC in ${plural(coins, 'coin')}.`;
  if (names.some(({ amountSats: sats }) => sats === null)) return told`There is no sum.`;
  return inARow(names.map(({ name, coinCount, amountSats: sats }) => told`“${theirs(name)}”: at least ${formatSats(sats ?? 0n)} BTC in ${plural(coinCount, 'coin')}.`));
}
