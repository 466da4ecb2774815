import { jsonFrom, textFrom } from '../../api/elsewhere';
import { logAddress } from '../../lib/board-log/address';
import { followKeys, type Trusted } from '../../lib/board-log/checkpoints';

/** The address and the newest key of the log of the board that serves this page. */
export async function logOfBoard(signal?: AbortSignal): Promise<{ address: string; key: string }> {
  const address = logAddress(JSON.parse(await textFrom('/api/functions/v1/app-config', signal)));
  return { address, key: (await textFrom(`${address}/key`, signal)).trim() };
}

/** The keys of the log of the board that serves this page, as it serves them now; none when it does not answer. */
export async function keysOfBoard(signal: AbortSignal): Promise<Trusted[]> {
  try {
    const { address, key } = await logOfBoard(signal);
    const rotations: unknown = await jsonFrom(`${address}/rotations`, signal);
    const notes = Array.isArray(rotations) ? rotations.filter((note) => typeof note === 'string') : [];
    return await followKeys([{ key, until: Number.POSITIVE_INFINITY }], notes);
  } catch {
    signal.throwIfAborted();
    return [];
  }
}
