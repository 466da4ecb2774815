import { useQuery } from '@tanstack/react-query';
import { sha256 } from '@noble/hashes/sha2.js';
import { jsonFrom, SourceError } from '../../api/elsewhere';
import { trustedKeys } from '../../lib/board-log/checkpoints';
import { toHex } from '../../lib/bytes';
import { member } from '../../lib/member';
import { STATIC } from '../../lib/site';
import { workQuery } from '../../lib/work-query';
import { checkPublishedProof, isRefusal, type CheckedProof } from '../../psbt';
import { chainFor } from '../../lib/chains';
import { keysOfBoard } from './board-keys';
import { agrees, evidenceIn, idIn, isForReader, isId, isPublished, proofIn, type Evidence, type PublishedProof } from './proof';
import { theirs, told, type Told } from './told';

/** What to check: a proof of this board by its id, or a file from the visitor. */
export type Given = { id: string } | { file: File };

export interface Read {
  proof: Evidence;
  /** What the board says about it: the only word on who the person is, on times and on what counts; or why there is none. */
  board: PublishedProof | Told;
  /** Null where the proof contradicts itself. */
  checked: CheckedProof | null;
  /** SHA-256 of the file that was brought, which a report shows; null without a file. */
  sha256: string | null;
}

/** Reads a proof, and checks all of it that needs no chain. */
export function useProof(given: Given, origin: string) {
  const input = 'file' in given ? given.file : given.id;
  return useQuery(workQuery('proof', [input, origin], ({ signal }) => load(given, origin, signal)));
}

async function load(given: Given, origin: string, signal: AbortSignal): Promise<Read> {
  const { json: file, sha256: hash } = 'file' in given ? await jsonIn(given.file) : { json: null, sha256: null };
  const board = 'id' in given ? await publishedOn(given.id, signal) : await sameOnBoard(file, origin, signal);
  const proof = isPublished(board) ? board : evidenceIn(file);
  const chain = proof && chainFor(proof);
  if (!proof || !chain) {
    throw new SourceError('unreadable', 'file' in given ? `This is not a proof file. ${ASK_AGAIN}` : NOT_THE_PROOF);
  }
  try {
    // A file of another board is checked as what it says it is.
    const asked = isPublished(board) ? origin : proof.statement.origin;
    // A board that answered says which keys it has. Without its response, the keys count that this browser has seen before.
    const known = [...trustedKeys(location.host), ...(isPublished(board) ? await keysOfBoard(signal) : [])];
    const note = member(isPublished(board) ? board : file, 'note');
    const whole = { ...proof, note: typeof note === 'string' ? note : null };
    const checked = await checkPublishedProof(whole, asked, chain.network, known.map(({ key }) => key));
    return { proof, board, checked, sha256: hash };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { proof, board, checked: null, sha256: hash };
  }
}

const NOT_THE_PROOF = 'The board sent a different proof than requested. Reload the page; if that doesn’t help, ask the holder for the file.';
const ASK_AGAIN = 'Ask the holder for the .json file that they downloaded here.';

/** The proof as this board publishes it. */
async function publishedOn(id: string, signal: AbortSignal): Promise<PublishedProof> {
  if (!isId(id)) throw new SourceError('not-found', 'This is not the id of a proof.');
  const proof = proofIn(await jsonFrom(`/api/functions/v1/proofs/${id}`, signal));
  if (proof?.id !== id) throw new SourceError('unreadable', NOT_THE_PROOF);
  return proof;
}

/** What this board publishes, when that is what the file says; else why nobody speaks for the file. */
async function sameOnBoard(file: unknown, origin: string, signal: AbortSignal): Promise<PublishedProof | Told> {
  const evidence = evidenceIn(file);
  const id = idIn(file);
  if (evidence && isForReader(evidence)) return told`No board publishes a proof for one reader.`;
  if (STATIC) return told`This page asks no board.`;
  if (evidence && evidence.statement.origin !== origin) return told`The line is for ${theirs(evidence.statement.origin)}. This board cannot say who signed it.`;
  if (!evidence || !id) return told`The file does not say which proof of this board it is.`;
  try {
    const proof = await publishedOn(id, signal);
    return agrees(file, proof) ? proof : told`This board publishes something else under the id in the file.`;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SourceError)) throw error;
    if (error.trouble === 'not-found') return told`This board does not publish this proof.`;
    return told`This board did not answer. Drop the file again when it does.`;
  }
}

const MOST_BYTES = 32 * 1024 * 1024;

async function jsonIn(file: File): Promise<{ json: unknown; sha256: string }> {
  if (file.size > MOST_BYTES) throw new SourceError('unreadable', `This file is too large for a proof. ${ASK_AGAIN}`);
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { json: JSON.parse(new TextDecoder().decode(bytes)), sha256: toHex(sha256(bytes)) };
  } catch {
    throw new SourceError('unreadable', `This is not a proof file: it is not JSON. ${ASK_AGAIN}`);
  }
}
