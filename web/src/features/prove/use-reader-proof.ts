import { useQuery } from '@tanstack/react-query';
import { sha256 } from '@noble/hashes/sha2.js';
import { toHex } from '../../lib/bytes';
import { binaryOf } from '../../lib/psbt-text';
import { workQuery } from '../../lib/work-query';
import { checkPublishedProof, ProofReadError, readerProof, type CheckedProof } from '../../psbt';
import type { ReadyFile } from '../upload/use-proof-file';
import { readerVerdict } from '../verify/judge-reader';
import { READER, type Evidence } from '../verify/proof';
import { UserFacingError } from '../../lib/errors';
import { lettersOf, told } from '../verify/told';
import { requestOf, stemOf, type Asked } from './asked';

/** A finished proof: the file for the reader, and what a check of it says before the chain is asked. */
export interface ReaderProof {
  proof: Evidence;
  checked: CheckedProof;
  file: File;
  bytes: number;
  sha256: string;
}

/** Makes the proof file of what was signed, and checks it as its reader will. `made` is the file to sign, if it was made here. */
export function useReaderProof(asked: Asked, made: Uint8Array<ArrayBuffer> | null, ready: ReadyFile) {
  return useQuery(workQuery('reader-proof', [asked, made, ready], () => build(asked, made, ready)));
}

async function build(asked: Asked, made: Uint8Array<ArrayBuffer> | null, { file, contents }: ReadyFile): Promise<ReaderProof> {
  const signed = await binaryOf(file, contents.report.encoding);
  // A signed file may have lost what its coins hold; one that was made before may be over other coins.
  const first = checkedFile(asked, signed, signed);
  return made ? first.catch(() => checkedFile(asked, made, signed)) : first;
}

async function checkedFile(asked: Asked, toSign: Uint8Array, signed: Uint8Array): Promise<ReaderProof> {
  const proof = await readerProof(requestOf(asked), toSign, signed);
  const bytes = new TextEncoder().encode(`${JSON.stringify(proof, null, 2)}\n`);
  const checked = await checkPublishedProof(bytes.slice(), READER, asked.block.network).catch((error: unknown) => {
    if (!(error instanceof ProofReadError) || error.code !== 'malformed-proof') throw error;
    throw new UserFacingError('The signed file lacks the amounts of its coins. Sign the file that was made here.');
  });
  const verdict = readerVerdict({ proof, board: told``, origin: READER, check: checked.check, asked: null, now: 0, words: asked.words });
  if (verdict.state === 'false') throw new UserFacingError(lettersOf(verdict.sentence));
  const file = new File([bytes], `${stemOf(asked.statement)}.proof.json`, { type: 'application/json' });
  return { proof, checked, file, bytes: bytes.length, sha256: toHex(sha256(bytes)) };
}
