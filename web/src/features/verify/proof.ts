/** A proof: as a board publishes it, and as its holder saves it. The package reads the files. */
import { displayName } from '../../lib/names';
import type { ProofFile, PublishedProof } from '../../psbt';
import type { Told } from './told';

export type { PublishedProof } from '../../psbt';

/** What anyone can check of a proof file. Nothing in it says who the person is. */
export type Evidence = ProofFile;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a board publishes it: not a proof for one reader, nor the reason why there is nothing. */
export const isPublished = (board: Evidence | PublishedProof | Told): board is PublishedProof => 'id' in board;

/** Nothing but a UUID becomes part of an address. */
export const isId = (text: string): boolean => ID.test(text);

/**
 * Whether a file says what the board says, member for member. Until when a proof counts, and which of its coins do, changes while it is
 * published, and the note with the board's key: only the board's word counts for those.
 */
export function agrees(file: PublishedProof, proof: PublishedProof): boolean {
  return lasting(file) === lasting(proof);
}

const CHANGING = new Set(['note', 'counts', 'expires_at']);

/** All members but those that change, in one order. */
function lasting(value: unknown): string {
  return JSON.stringify(value, (key, member: unknown) => {
    if (CHANGING.has(key)) return undefined;
    const isObject = typeof member === 'object' && member !== null && !Array.isArray(member);
    return isObject ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))) : member;
  });
}

/** Whether it is a proof for one reader, which no board publishes (the package's documentation of its statement). */
export const isForReader = ({ statement }: Evidence): boolean => statement.origin === READER;

/** Origin of a proof for one reader. */
export const READER = 'reader';

/** The coins that the proof is about: all but the virtual output that a message begins with. */
export function coinsOf<Proof extends Evidence>({ binding, inputs }: Proof): Proof['inputs'] {
  return binding === 'message' ? inputs.slice(1) : inputs;
}

/** The name in the statement, which the device showed when it signed. */
export function signedName({ statement }: Evidence): string {
  return statement.text.split(' ')[4] ?? '';
}

/** The name that the board shows. A fallback name has no prefix. */
export function shownName({ profile }: PublishedProof): string {
  return displayName(profile);
}

/** The name of a downloaded proof's file. */
export function fileName({ id, profile }: PublishedProof): string {
  return `proof-of-reserves-${profile.username.replaceAll(/[^A-Za-z0-9_.-]/g, '')}-${id.slice(0, 8)}.json`;
}
