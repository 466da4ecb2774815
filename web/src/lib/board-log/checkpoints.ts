/** What this browser has seen of the board's log, and whether the log as it is now goes on from there. */
import { exactBase64, LogError, readKey, readNote, verifiedText, type VerifierKey } from './note';
import { consistencyProof, isConsistent, isSize, tilePath, WIDTH } from './tree';

/** What a log says about itself. */
export interface Checkpoint {
  origin: string;
  size: number;
  root: Uint8Array;
}

/** What a browser keeps: the newest checkpoint that it saw, signed, and the keys that it has come to trust, the newest last. */
export interface Seen {
  checkpoint: string;
  keys: string[];
}

/** Where the log is read: what stands at a path below `/log/`. Throws LogError `missing` when the answer is that nothing stands there. */
export interface LogSource {
  text(path: string): Promise<string>;
  bytes(path: string): Promise<Uint8Array>;
}

/** The outcome of a look at the log. */
export type Look =
  | { goesOn: true; seen: Seen }
  /** What came says nothing of the log. */
  | Unknown
  /** It does not go on from what was seen. `now` is what it says instead; empty when that is nothing at all. */
  | { goesOn: false; code: LogError['code']; reason: string; newLog: string | null; seen: Seen; now: string };

/** It cannot be told whether the log goes on: `came` is what came in the place of a checkpoint. */
export interface Unknown {
  goesOn: 'unknown';
  came: string;
}

/** Reads what a note says. */
export function readCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = ''] = text.split('\n');
  const checkpoint = { origin, size: Number(size), root: exactBase64(root) };
  if (origin === '' || String(checkpoint.size) !== size || !isSize(checkpoint.size) || checkpoint.root.length !== 32) {
    throw new LogError('malformed', 'It is no checkpoint of a log.');
  }
  return checkpoint;
}

/** What the note of a new key begins with. */
const ROTATION = 'Proof of Reserves: a new key of the log';

/** The keys that follow from those that are trusted: each is announced in a note that the one before and itself have signed. */
export async function followKeys(trusted: string[], rotations: string[]): Promise<string[]> {
  const keys = [...trusted];
  for (const note of rotations) {
    const [title, before = '', after = ''] = readNote(note).text.split('\n');
    if (title !== ROTATION) throw new LogError('malformed', 'It is no note of a new key.');
    if (before !== keys.at(-1)) continue;
    await verifiedText(note, [readKey(before)]);
    await verifiedText(note, [readKey(after)]);
    keys.push(after);
  }
  return keys;
}

/** Whether this is a checkpoint, by whomever it is signed. A page of a proxy that stands before the board is none, and says nothing of the log. */
function isCheckpoint(note: string): boolean {
  try {
    readCheckpoint(readNote(note).text);
    return true;
  } catch (error) {
    if (error instanceof LogError) return false;
    throw error;
  }
}

/** Looks at the log, and holds it against what was seen before. What was seen has to be read before the log is. */
export async function look(source: LogSource, before: Seen | null): Promise<Look> {
  let now = '';
  try {
    now = await source.text('checkpoint');
    if (!isCheckpoint(now)) return { goesOn: 'unknown', came: 'something that is no checkpoint of a log' };
    if (!before) return { goesOn: true, seen: await firstSeen(source, now) };
    const keys = await keysFor(source, now, before.keys);
    await demandGrowth(source, before, now, keys.map(readKey));
    return { goesOn: true, seen: { checkpoint: now, keys } };
  } catch (error) {
    // An answer that did not come says nothing; one that denies what must be there, as much as one that is false.
    if (!(error instanceof LogError) || !before) throw error;
    return { goesOn: false, code: error.code, reason: error.message, newLog: await newLog(source, before, now), seen: before, now };
  }
}

/** What is kept of a log that nobody here has seen before: its key is taken as it is. */
export async function firstSeen(source: LogSource, checkpoint: string): Promise<Seen> {
  const key = (await source.text('key')).trim();
  readCheckpoint(await verifiedText(checkpoint, [readKey(key)]));
  return { checkpoint, keys: [key] };
}

async function keysFor(source: LogSource, note: string, trusted: string[]): Promise<string[]> {
  try {
    await verifiedText(note, trusted.map(readKey));
    return trusted;
  } catch (error) {
    if (!(error instanceof LogError) || error.code !== 'stranger') throw error;
    return followKeys(trusted, notesIn(await source.text('rotations')));
  }
}

function notesIn(rotations: string): string[] {
  try {
    const notes: unknown = JSON.parse(rotations);
    if (Array.isArray(notes) && notes.every((note) => typeof note === 'string')) return notes;
  } catch {
    // Said below.
  }
  throw new LogError('malformed', 'It is signed by a key that this browser does not know, and its list of new keys cannot be read.');
}

async function demandGrowth(source: LogSource, seen: Seen, note: string, keys: VerifierKey[]): Promise<void> {
  const before = readCheckpoint(readNote(seen.checkpoint).text);
  const now = readCheckpoint(readNote(note).text);
  if (before.origin !== now.origin) throw new LogError('other-log', 'This is another log than the one that you have seen.');
  await verifiedText(note, keys);
  if (now.size < before.size) {
    throw new LogError('shorter', 'The log has fewer entries than it had when you last saw it.');
  }
  const proof = await consistencyProof(before.size, now.size, async (path) => source.bytes(path));
  if (!isConsistent(before.size, before.root, now.size, now.root, proof)) {
    throw new LogError('rewritten', 'The log says of its history something else than when you last saw it: it has been rewritten.');
  }
}

/** What the operator says about a log that was begun anew; null when this is none. */
async function newLog(source: LogSource, before: Seen, note: string): Promise<string | null> {
  try {
    const now = readCheckpoint(readNote(note).text);
    if (now.origin === readCheckpoint(readNote(before.checkpoint).text).origin) return null;
    const bundle = await source.bytes(tilePath('entries', 0, Math.min(now.size, WIDTH)));
    const [high = 0, low = 0] = bundle;
    const first: unknown = JSON.parse(new TextDecoder().decode(bundle.slice(2, 2 + high * 256 + low)));
    const because: unknown = typeof first === 'object' && first !== null ? Reflect.get(first, 'because') : null;
    return typeof because === 'string' ? because : '';
  } catch {
    return null;
  }
}

const KEY = 'board-log';

/** What this browser has kept; null when that is nothing, or cannot be read. */
export function keptLog(storage: Storage): Seen | null {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return null;
    const checkpoint: unknown = Reflect.get(kept, 'checkpoint');
    const keys: unknown = Reflect.get(kept, 'keys');
    if (typeof checkpoint !== 'string' || !Array.isArray(keys)) return null;
    return { checkpoint, keys: keys.filter((key) => typeof key === 'string') };
  } catch {
    return null;
  }
}

/** Keeps what was seen, unless another page has seen more meanwhile. `anew` takes it in any case. */
export function keepLog(storage: Storage, seen: Seen, anew = false): void {
  const kept = keptLog(storage);
  if (!anew && kept && sizeOf(kept) > sizeOf(seen)) return;
  try {
    storage.setItem(KEY, JSON.stringify(seen));
  } catch {
    // Storage that is full, or not allowed: then nothing is kept.
  }
}

const sizeOf = ({ checkpoint }: Seen) => readCheckpoint(readNote(checkpoint).text).size;

/** The keys of the log that this browser has come to trust. */
export const trustedKeys = (storage: Storage): string[] => keptLog(storage)?.keys ?? [];

