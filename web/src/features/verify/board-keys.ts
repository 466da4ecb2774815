import { jsonFrom, textFrom } from '../../api/elsewhere';
import { logAddress } from '../../lib/board-log/address';
import { followKeys, type Trusted } from '../../lib/board-log/checkpoints';

/** The keys of the log of the board that serves this page, as it serves them now; none when it does not answer. */
export async function keysOfBoard(signal: AbortSignal): Promise<Trusted[]> {
  try {
    const address = logAddress(await jsonFrom('/api/functions/v1/app-config', signal));
    const key = { key: (await textFrom(`${address}/key`, signal)).trim(), until: Number.POSITIVE_INFINITY };
    const rotations: unknown = await jsonFrom(`${address}/rotations`, signal);
    const notes = Array.isArray(rotations) ? rotations.filter((note) => typeof note === 'string') : [];
    return await followKeys([key], notes);
  } catch {
    signal.throwIfAborted();
    return [];
  }
}
