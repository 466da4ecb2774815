import { sha256 } from '@noble/hashes/sha2.js';
import { toHex } from '../../lib/bytes';
import { binaryOf } from '../../lib/psbt-text';
import { useWork } from '../../lib/use-work';
import { checkPublishedProof, readerProof, type CheckedProof } from '../../psbt';
import type { ReadyFile } from '../upload/use-proof-file';
import { readerVerdict } from '../verify/judge-reader';
import { evidenceIn, READER, type Evidence } from '../verify/proof';
import { messageOf } from '../../lib/errors';
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

export type Building = { at: 'building' } | { at: 'failed'; message: string } | ({ at: 'built' } & ReaderProof);

/** Makes the proof file of what was signed, and checks it as its reader will. `made` is the file to sign, if it was made here. */
export function useReaderProof(asked: Asked, made: Uint8Array<ArrayBuffer> | null, ready: ReadyFile): Building {
  const { value } = useWork(() => build(asked, made, ready).catch(failed), [asked, made, ready]);
  return value ?? { at: 'building' };
}

const failed = (error: unknown): Building => ({ at: 'failed', message: messageOf(error, 'The proof file could not be made. Sign the file again.') });

async function build(asked: Asked, made: Uint8Array<ArrayBuffer> | null, { file, contents }: ReadyFile): Promise<Building> {
  const signed = await binaryOf(file, contents.report.encoding);
  let last: Building = { at: 'building' };
  // A signed file may have lost what its coins hold; one that was made before may be over other coins.
  for (const toSign of [signed, ...(made ? [made] : [])]) {
    last = await checkedFile(asked, toSign, signed).catch(failed);
    if (last.at === 'built') return last;
  }
  return last;
}

async function checkedFile(asked: Asked, toSign: Uint8Array, signed: Uint8Array): Promise<Building> {
  const text = `${JSON.stringify(await readerProof(requestOf(asked), toSign, signed), null, 2)}\n`;
  const proof = evidenceIn(JSON.parse(text));
  if (!proof) return { at: 'failed', message: 'The signed file lacks the amounts of its coins. Sign the file that was made here.' };
  const checked = await checkPublishedProof(proof, READER, asked.block.network);
  const verdict = readerVerdict({ proof, board: told``, origin: READER, check: checked.check, asked: null, now: 0, words: asked.words });
  if (verdict.state === 'false') return { at: 'failed', message: lettersOf(verdict.sentence) };
  const bytes = new TextEncoder().encode(text);
  const file = new File([bytes], `${stemOf(asked.statement)}.proof.json`, { type: 'application/json' });
  return { at: 'built', proof, checked, file, bytes: bytes.length, sha256: toHex(sha256(bytes)) };
}
