import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { sha256 } from '@noble/hashes/sha2.js';
import { toHex } from '../../lib/bytes';
import { binaryOf } from '../../lib/psbt-text';
import { workQuery } from '../../lib/work-query';
import { checkPublishedProof, ProofReadError, readerProof, type CheckedProof } from '../../psbt';
import type { ReadyFile } from '../upload/use-proof-file';
import { readerVerdict } from '../verify/judge-reader';
import { READER } from '../verify/proof';
import type { BroughtProof } from '../verify/use-proof';
import { UserFacingError } from '../../lib/errors';
import { lettersOf, told } from '../verify/told';
import { requestOf, stemOf, type Asked } from './asked';

/** A finished proof: the file for the reader, and what a check of it says before the chain is asked. */
export interface ReaderProof extends BroughtProof {
  checked: CheckedProof;
  sha256: string;
  /** Signatures that the scripts do not need, whether or not they are in the file. */
  further: number;
}

interface Making {
  asked: Asked;
  /** The file to sign, if it was made here. */
  made: Uint8Array<ArrayBuffer> | null;
  ready: ReadyFile;
  /** Whether signatures that the scripts do not need go into the file. */
  everyKey: boolean;
}

/** Makes the proof file of what was signed, and checks it as its reader will. */
export function useReaderProof({ asked, made, ready, everyKey }: Making) {
  return useQuery({ ...workQuery('reader-proof', [asked, made, ready, everyKey], () => build({ asked, made, ready, everyKey })), placeholderData: keepPreviousData });
}

async function build({ asked, made, ready: { file, contents }, everyKey }: Making): Promise<ReaderProof> {
  const signed = await binaryOf(file, contents.report.encoding);
  // A signed file may have lost what its coins hold; one that was made before may be over other coins.
  const first = checkedFile(asked, signed, signed, everyKey);
  return made ? first.catch(() => checkedFile(asked, made, signed, everyKey)) : first;
}

async function checkedFile(asked: Asked, toSign: Uint8Array, signed: Uint8Array, everyKey: boolean): Promise<ReaderProof> {
  const whole = await readerProof(requestOf(asked), toSign, signed, { everyKey: true });
  const { further_signatures: further = [], ...needed } = whole;
  const proof = everyKey ? whole : needed;
  const bytes = new TextEncoder().encode(`${JSON.stringify(proof, null, 2)}\n`);
  const checked = await checkPublishedProof(bytes.slice(), READER, asked.block.network).catch((error: unknown) => {
    if (!(error instanceof ProofReadError) || error.code !== 'malformed-proof') throw error;
    throw new UserFacingError('The signed file lacks the amounts of its coins. Sign the file that was made here.');
  });
  const verdict = readerVerdict({ proof, board: told``, origin: READER, check: checked.check, asked: null, now: 0, words: asked.words });
  if (verdict.state === 'false') throw new UserFacingError(lettersOf(verdict.sentence));
  const file = new File([bytes], `${stemOf(asked.statement)}.proof.json`, { type: 'application/json' });
  return { proof, board: told``, checked, file, sha256: toHex(sha256(bytes)), further: further.length };
}
