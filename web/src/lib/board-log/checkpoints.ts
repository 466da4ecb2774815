/** What this browser has seen of the board's log, and whether the current log continues it. */
import { member } from '../member';
import { storedJson } from '../storage';
import { isOfHost, isOrigin } from './address';
import { exactBase64, LogError, readKey, readNote, reads, verifiedText } from './note';
import { isSize } from './size';

/** Loaded when there is something to compare with: visitors who come for the first time have seen nothing. */
const tree = () => import('./tree');

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
  /** The size of the largest checkpoint that each key but the newest may sign. */
  until: number[];
}

/** A key that the reader trusts, and the size of the largest checkpoint that it may sign: without end while it has not been replaced. */
export interface Trusted {
  key: string;
  until: number;
}

/** Reads the files of the log by their path below its address. Throws LogError `missing` when the server answers that there is none. */
export interface LogSource {
  /** The host of the board, and the address of the log there: what its checkpoints must call it. */
  host: string;
  address: string;
  text(path: string): Promise<string>;
  bytes(path: string): Promise<Uint8Array>;
}

/** The outcome of a look at the log. */
export type Look =
  | { goesOn: true; seen: Seen }
  /** What came says nothing of the log. */
  | Unknown
  /** It does not continue what was seen. `now` is its checkpoint instead; empty without one. */
  | { goesOn: false; code: LogError['code']; reason: string; newLog: string | null; seen: Seen | null; now: string };

/** Unknown whether the log continues: `came` is what came instead of a checkpoint, `reason` why, in the board’s words. */
export interface Unknown {
  goesOn: 'unknown';
  came: string;
  reason?: string;
}

/** Reads what a note says. */
export function readCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = ''] = text.split('\n');
  const checkpoint = { origin, size: Number(size), root: exactBase64(root) };
  if (origin === '' || String(checkpoint.size) !== size || !isSize(checkpoint.size) || checkpoint.root.length !== 32) {
    throw new LogError('malformed', 'This is not a checkpoint of a log.');
  }
  return checkpoint;
}

/** Reads what a signed checkpoint says. Nobody has checked its signatures. */
const checkpointIn = (note: string) => readCheckpoint(readNote(note).text);

/** A key that has not been replaced. */
const newest = (key: string): Trusted => ({ key, until: Number.POSITIVE_INFINITY });

/** What the note of a new key begins with. */
const ROTATION = 'Proof of Reserves: a new key of the log';

/**
 * The keys that follow from those that are trusted: each is announced in a note that the one before and itself have signed. The note says
 * at which entry, so a replaced key is believed up to that one.
 */
export async function followKeys(trusted: Trusted[], rotations: string[]): Promise<Trusted[]> {
  const keys = [...trusted];
  for (const note of rotations) {
    const [title, before = '', after = '', entry = ''] = readNote(note).text.split('\n');
    if (title !== ROTATION || !/^(0|[1-9]\d*)$/.test(entry)) throw new LogError('malformed', 'This is not a note about a new key.');
    if (before !== keys.at(-1)?.key) continue;
    await verifiedText(note, [await readKey(before)]);
    await verifiedText(note, [await readKey(after)]);
    keys.pop();
    keys.push({ key: before, until: Number(entry) + 1 }, newest(after));
  }
  return keys;
}

/** Reads a checkpoint that one of these keys has signed. A key signs for the log that it is named after, until it is replaced. */
export async function verifiedCheckpoint(note: string, trusted: Trusted[]): Promise<Checkpoint> {
  const checkpoint = checkpointIn(note);
  const keys = await Promise.all(trusted.map(async ({ key, until }) => ({ key: await readKey(key), until })));
  const known = keys.filter(({ key }) => key.name === checkpoint.origin);
  const signers = (inUse: boolean) => known.filter(({ until }) => checkpoint.size <= until === inUse).map(({ key }) => key);
  try {
    await verifiedText(note, signers(true));
  } catch (error) {
    const replaced = signers(false);
    if (!(error instanceof LogError) || error.code !== 'stranger' || replaced.length === 0) throw error;
    await verifiedText(note, replaced);
    throw new LogError('replaced', 'It is signed with a key that had already been replaced.');
  }
  return checkpoint;
}

/** The keys of what was kept. */
export function keysOf({ keys, until }: Seen): Trusted[] {
  return keys.map((key, at) => ({ key, until: until[at] ?? Number.POSITIVE_INFINITY }));
}

const seenWith = (checkpoint: string, keys: Trusted[]): Seen => ({
  checkpoint,
  keys: keys.map(({ key }) => key),
  until: keys.slice(0, -1).map(({ until }) => until),
});

/** Looks at the log, and holds it against what was seen before. What was seen has to be read before the log is. */
export async function look(source: LogSource, before: Seen | null): Promise<Look> {
  let now = '';
  try {
    now = await source.text('checkpoint');
    // A page of a proxy in front of the board is no checkpoint, and says nothing about the log.
    if (!reads(() => checkpointIn(now))) {
      if (before && reads(() => readCheckpoint(now))) throw new LogError('stranger', 'The board’s newest checkpoint has lost its signature.');
      return { goesOn: 'unknown', came: 'something that is not a checkpoint of a log' };
    }
    demandOwn(source, now);
    if (!before) return { goesOn: true, seen: await firstSeen(source, now) };
    demandSame(before, now);
    // Read each time, so that a key that has been replaced since is not believed any longer.
    const keys = await followKeys(keysOf(before), notesIn(await source.text('rotations')));
    await demandGrowth(source, before, await verifiedCheckpoint(now, keys));
    return { goesOn: true, seen: seenWith(now, keys) };
  } catch (error) {
    // An answer that did not come says nothing; one that denies what must be there, as much as one that is false.
    if (!(error instanceof LogError) || (!before && error.code !== 'other-board')) throw error;
    const because = before && error.code === 'other-log' ? await newLog(source, now) : null;
    return { goesOn: false, code: error.code, reason: error.message, newLog: because, seen: before, now };
  }
}

/** What is kept of a log that nobody here has seen before: its key is taken as it is. */
export async function firstSeen(source: LogSource, checkpoint: string): Promise<Seen> {
  demandOwn(source, checkpoint);
  const keys = [newest((await source.text('key')).trim())];
  await verifiedCheckpoint(checkpoint, keys);
  return seenWith(checkpoint, keys);
}

function demandOwn({ host, address }: LogSource, note: string): void {
  const { origin } = checkpointIn(note);
  if (!isOrigin(origin, host, address)) {
    throw new LogError('other-board', `This is the log “${origin}”, but the log of this board is “${host}${address}”.`);
  }
}

function demandSame(seen: Seen, note: string): void {
  const [before, now] = [seen.checkpoint, note].map((each) => checkpointIn(each).origin);
  if (before !== now) throw new LogError('other-log', 'This is not the log that you have seen before.');
}

function notesIn(rotations: string): string[] {
  try {
    const notes: unknown = JSON.parse(rotations);
    if (Array.isArray(notes) && notes.every((note) => typeof note === 'string')) return notes;
  } catch {
    // The error below says so.
  }
  throw new LogError('malformed', 'Its list of new keys can’t be read.');
}

async function demandGrowth(source: LogSource, seen: Seen, now: Checkpoint): Promise<void> {
  const before = checkpointIn(seen.checkpoint);
  if (now.size < before.size) {
    throw new LogError('shorter', 'The log has fewer entries than it had when you last saw it.');
  }
  const { consistencyProof, isConsistent } = await tree();
  const proof = await consistencyProof(before.size, now.size, async (path) => source.bytes(path));
  if (!(await isConsistent(before.size, before.root, now.size, now.root, proof))) {
    throw new LogError('rewritten', 'The log’s history differs from what you last saw: it has been rewritten.');
  }
}

/** The operator's reason for restarting the log; null when its first entry cannot be read. */
async function newLog(source: LogSource, note: string): Promise<string | null> {
  try {
    const { size } = checkpointIn(note);
    const { tilePath, WIDTH } = await tree();
    const bundle = await source.bytes(tilePath('entries', 0, Math.min(size, WIDTH)));
    const [high = 0, low = 0] = bundle;
    const because = member(JSON.parse(new TextDecoder().decode(bundle.slice(2, 2 + high * 256 + low))), 'because');
    return typeof because === 'string' ? because : '';
  } catch {
    return null;
  }
}

const boardLog = storedJson('localStorage', 'board-log', (stored): Seen | null => {
  const [checkpoint, keys, until] = ['checkpoint', 'keys', 'until'].map((name) => member(stored, name));
  if (typeof checkpoint !== 'string' || !isArrayOf(keys, 'string') || !isArrayOf(until, 'number') || until.length + 1 !== keys.length) return null;
  return { checkpoint, keys, until };
});

function isArrayOf(value: unknown, type: 'string'): value is string[];
function isArrayOf(value: unknown, type: 'number'): value is number[];
function isArrayOf(value: unknown, type: string): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === type);
}

/** What this browser has kept of the log of this host; null when that is nothing, or cannot be read. */
export function keptLog(host: string): Seen | null {
  const kept = boardLog.get();
  return kept && isOfHost(kept.checkpoint.split('\n')[0] ?? '', host) ? kept : null;
}

/** Stores the last seen checkpoint, unless another tab stored a larger one. `restarted` stores it in any case. */
export function keepLog(seen: Seen, host: string, restarted = false): void {
  const kept = keptLog(host);
  if (!restarted && kept && sizeOf(kept) > sizeOf(seen)) return;
  boardLog.set(seen);
}

const sizeOf = ({ checkpoint }: Seen) => checkpointIn(checkpoint).size;

/** The keys of the log that this browser has come to trust. */
export function trustedKeys(host: string): Trusted[] {
  const kept = keptLog(host);
  return kept ? keysOf(kept) : [];
}

