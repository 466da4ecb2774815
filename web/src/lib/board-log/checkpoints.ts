/** What this browser has seen of the board's log, and whether the current log continues it. */
import { joined } from '../bytes';
import { member } from '../member';
import { storedJson } from '../storage';
import { isOfHost, isOrigin } from './address';
import { checked } from './checks';
import { LogError } from './log-error';

/** What a log says about itself. */
export interface Checkpoint {
  origin: string;
  size: number;
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

/** Its lines begin with these two, in the module's words. */
function checkpointFrom(lines: string): Checkpoint {
  const [origin = '', size] = lines.split('\n');
  return { origin, size: Number(size) };
}

/** Reads what a signed checkpoint says. Nobody has checked its signatures. */
const checkpointIn = async (note: string) => checkpointFrom(await checked((log) => log.readCheckpoint(note)));

/** A key that has not been replaced. */
const newest = (key: string): Trusted => ({ key, until: Number.POSITIVE_INFINITY });

/** Keys as the module takes them: JSON has no infinite number, and writes null. */
export const keysAsJson = (keys: Trusted[]) => JSON.stringify(keys.map(({ key, until }) => ({ key, until })));

/**
 * The keys that follow from those that are trusted: each is announced in a note that the one before and itself have signed. The note says
 * at which entry, so a replaced key is believed up to that one.
 */
export async function followKeys(trusted: Trusted[], rotations: string[]): Promise<Trusted[]> {
  const json = await checked((log) => log.followKeys(keysAsJson(trusted), JSON.stringify(rotations)));
  const keys = JSON.parse(json) as { key: string; until: number | null }[];
  return keys.map(({ key, until }) => ({ key, until: until ?? Number.POSITIVE_INFINITY }));
}

/** Refuses a text that is no key of a log. */
export async function requireKey(key: string): Promise<void> {
  await followKeys([newest(key)], []).catch((error: unknown) => {
    throw error instanceof LogError ? new LogError('malformed', 'This is not a key of a log.') : error;
  });
}

/** Reads a checkpoint that one of these keys has signed. A key signs for the log that it is named after, until it is replaced. */
export async function verifiedCheckpoint(note: string, trusted: Trusted[]): Promise<Checkpoint> {
  return checkpointFrom(await checked((log) => log.checkCheckpoint(note, keysAsJson(trusted))));
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
    if (!(await isRight((log) => log.readCheckpoint(now)))) {
      if (before && (await isRight((log) => log.readUnsigned(now)))) throw new LogError('stranger', 'The board’s newest checkpoint has lost its signature.');
      return { goesOn: 'unknown', came: 'something that is not a checkpoint of a log' };
    }
    await demandOwn(source, now);
    if (!before) return { goesOn: true, seen: await firstSeen(source, now) };
    await demandSame(before, now);
    // Read each time, so that a key that has been replaced since is not believed any longer.
    const keys = await followKeys(keysOf(before), notesIn(await source.text('rotations')));
    await verifiedCheckpoint(now, keys);
    await demandGrowth(source, before, now);
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
  await demandOwn(source, checkpoint);
  const keys = [newest((await source.text('key')).trim())];
  await verifiedCheckpoint(checkpoint, keys);
  return seenWith(checkpoint, keys);
}

/** Whether a check finds nothing wrong. */
async function isRight(check: Parameters<typeof checked>[0]): Promise<boolean> {
  try {
    await checked(check);
    return true;
  } catch (error) {
    if (error instanceof LogError) return false;
    throw error;
  }
}

async function demandOwn({ host, address }: LogSource, note: string): Promise<void> {
  const { origin } = await checkpointIn(note);
  if (!isOrigin(origin, host, address)) {
    throw new LogError('other-board', `This is the log “${origin}”, but the log of this board is “${host}${address}”.`);
  }
}

async function demandSame(seen: Seen, note: string): Promise<void> {
  const [before, now] = await Promise.all([seen.checkpoint, note].map(checkpointIn));
  if (before?.origin !== now?.origin) throw new LogError('other-log');
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

async function demandGrowth(source: LogSource, seen: Seen, now: string): Promise<void> {
  const paths = await checked((log) => log.tilesOfGrowth(seen.checkpoint, now));
  const tiles = await Promise.all(paths === '' ? [] : paths.split('\n').map(async (path) => source.bytes(path)));
  await checked((log) => log.checkGrowth(seen.checkpoint, now, joined(tiles)));
}

/** The entries that a full bundle has (C2SP tlog-tiles). */
const WIDTH = 256;

/** The operator's reason for restarting the log; null when its first entry cannot be read. */
async function newLog(source: LogSource, note: string): Promise<string | null> {
  try {
    const { size } = await checkpointIn(note);
    const bundle = await source.bytes(`tile/entries/000${size < WIDTH ? `.p/${size}` : ''}`);
    const [high = 0, low = 0] = bundle;
    const entry = new TextDecoder().decode(bundle.slice(2, 2 + high * 256 + low));
    return (await checked((log) => log.reasonOfLog(entry))) ?? null;
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

/** It was checked before it was stored. */
const sizeOf = ({ checkpoint }: Seen) => checkpointFrom(checkpoint).size;

/** The keys of the log that this browser has come to trust. */
export function trustedKeys(host: string): Trusted[] {
  const kept = keptLog(host);
  return kept ? keysOf(kept) : [];
}

