import { jsonFrom, textFrom } from '../../api/elsewhere';
import { logAddress, logsUpTo } from '../../lib/board-log/address';

/** The address and the newest key of the log of the board that serves this page. */
export async function logOfBoard(signal?: AbortSignal): Promise<{ address: string; key: string }> {
  const address = logAddress(JSON.parse(await textFrom('/api/functions/v1/app-config', signal)));
  return { address, key: await keyOf(address, signal) };
}

/**
 * The keys whose notes count, of the board that serves this page, as it serves them now; none when it does not answer: the key of its log and the
 * last one of each earlier log. A key that was replaced in any of them counts in none: a thief of it could confirm anyone for ever.
 */
export async function keysOfBoard(signal: AbortSignal): Promise<string[]> {
  try {
    const { address } = await logOfBoard(signal);
    const logs = await Promise.all(logsUpTo(address).map(async (log) => keysIn(log, signal)));
    const replaced = new Set(logs.flatMap((log) => log.replaced.map(bytesOf)));
    return logs.map(({ key }) => key).filter((key) => !replaced.has(bytesOf(key)));
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

/** The key of a log that has not been replaced, and those that have. The notes come first, so the key is at least as new. */
async function keysIn(log: string, signal: AbortSignal): Promise<{ key: string; replaced: string[] }> {
  const rotations: unknown = await jsonFrom(`${log}/rotations`, signal);
  const notes = Array.isArray(rotations) ? rotations.filter((note) => typeof note === 'string') : [];
  return { key: await keyOf(log, signal), replaced: notes.flatMap((note) => note.split('\n')[1] ?? []) };
}

const keyOf = async (log: string, signal?: AbortSignal) => (await textFrom(`${log}/key`, signal)).trim();

/** The key itself in `name+id+key`: a later log has the same one under another name. */
const bytesOf = (key: string) => key.split('+').slice(2).join('+');
