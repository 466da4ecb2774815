import { useQueries, useQuery } from '@tanstack/react-query';
import { sha256 } from '@noble/hashes/sha2.js';
import { SourceError, textFrom } from '../../api/elsewhere';
import { trustedKeys } from '../../lib/board-log/checkpoints';
import { toHex } from '../../lib/bytes';
import { STATIC } from '../../lib/site';
import { workQuery } from '../../lib/work-query';
import { checkPublishedProof, isRefusal, readProofFile, type CheckedProof } from '../../psbt';
import { chainFor } from '../../lib/chains';
import { keysOfBoard } from './board-keys';
import { agrees, isId, isPublished, type Evidence, type PublishedProof } from './proof';
import { theirs, told, type Told } from './told';

/** What to check: a proof of this board by its id, or a file from the visitor. */
type Given = { id: string } | { file: File };

export interface Read {
  proof: Evidence;
  /** What the board says about it: the only word on who the person is, on times and on what counts; or why there is none. */
  board: PublishedProof | Told;
  /** Null where the proof contradicts itself. */
  checked: CheckedProof | null;
  /** SHA-256 of the file that was brought, which a report shows; null without a file. */
  sha256: string | null;
}

/** A proof, and the file that was brought. */
export interface BroughtProof extends Read {
  file: File;
}

/** Reads a proof, and checks all of it that needs no chain. */
export function useProof(id: string, origin: string) {
  return useQuery(proofQuery({ id }, origin));
}

/** The same for files, in their order. */
export function useProofFiles(files: File[], origin: string) {
  return useQueries({ queries: files.map((file) => proofQuery({ file }, origin)) });
}

function proofQuery(given: Given, origin: string) {
  const input = 'file' in given ? given.file : given.id;
  return workQuery('proof', [input, origin], ({ signal }) => load(given, origin, signal));
}

async function load(given: Given, origin: string, signal: AbortSignal): Promise<Read> {
  const file = 'file' in given ? await fileOf(given.file) : null;
  const own = 'id' in given || (!STATIC && file?.proof.statement.origin === origin);
  const [board, current] = await Promise.all([
    'id' in given ? publishedOn(given.id, signal) : sameOnBoard(file?.proof ?? null, origin, signal),
    own ? keysOfBoard(signal) : [],
  ]);
  const read = 'bytes' in board ? board : file;
  const chain = read && chainFor(read.proof);
  if (!read || !chain) throw new SourceError('unreadable', `This is not a proof file. ${ASK_AGAIN}`);
  const { proof } = read;
  const known = { proof, board: 'bytes' in board ? board.proof : board, sha256: file && toHex(sha256(file.bytes)) };
  try {
    // A file of another board is checked as what it says it is.
    const asked = 'bytes' in board ? origin : proof.statement.origin;
    const keys = 'bytes' in board || current.length > 0 ? current : seenKeys();
    return { ...known, checked: await checkPublishedProof(read.bytes.slice(), asked, chain.network, keys) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...known, checked: null };
  }
}

/** The keys that the board had when this browser last saw them, for a board that does not answer. A replaced key counts for no note. */
function seenKeys(): string[] {
  const known = trustedKeys(location.host);
  return known.filter(({ until }) => until === Number.POSITIVE_INFINITY).map(({ key }) => key);
}

const NOT_THE_PROOF = 'The board sent a different proof than requested. Reload the page; if that doesn’t help, ask the holder for the file.';
const ASK_AGAIN = 'Ask the holder for the .json file that they downloaded here.';

/** A proof file and its bytes. */
interface ProofRead<Proof extends Evidence = Evidence> {
  proof: Proof;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The proof as this board publishes it. */
async function publishedOn(id: string, signal: AbortSignal): Promise<ProofRead<PublishedProof>> {
  if (!isId(id)) throw new SourceError('not-found', 'This is not the id of a proof.');
  const bytes = new TextEncoder().encode(await textFrom(`/api/functions/v1/proofs/${id}`, signal));
  const proof = await readOrNull(bytes);
  if (!proof || !isPublished(proof) || proof.id !== id) throw new SourceError('unreadable', NOT_THE_PROOF);
  return { proof, bytes };
}

/** What this board publishes, when that is what the file says; else why nobody speaks for the file. */
async function sameOnBoard(file: Evidence | null, origin: string, signal: AbortSignal): Promise<ProofRead<PublishedProof> | Told> {
  if (!file || !isPublished(file)) return told`No board publishes a proof for one reader.`;
  if (STATIC) return told`This page asks no board.`;
  if (file.statement.origin !== origin) return told`The line is for ${theirs(file.statement.origin)}. This board cannot say who signed it.`;
  try {
    const published = await publishedOn(file.id, signal);
    return agrees(file, published.proof) ? published : told`This board publishes something else under the id in the file.`;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SourceError)) throw error;
    if (error.trouble === 'not-found') return told`This board does not publish this proof.`;
    return told`This board did not answer. Drop the file again when it does.`;
  }
}

const MOST_BYTES = 32 * 1024 * 1024;

async function fileOf(file: File): Promise<ProofRead> {
  if (file.size > MOST_BYTES) throw new SourceError('unreadable', `This file is too large for a proof. ${ASK_AGAIN}`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const proof = await readOrNull(bytes);
  if (!proof) throw new SourceError('unreadable', `This is not a proof file. ${ASK_AGAIN}`);
  return { proof, bytes };
}

/** Null for what is no proof file. */
async function readOrNull(bytes: Uint8Array<ArrayBuffer>): Promise<Evidence | null> {
  try {
    // The worker takes the bytes that it gets.
    return await readProofFile(bytes.slice());
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}
