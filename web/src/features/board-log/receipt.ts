import { dataOf, api, UserFacingError } from '../../api/client';
import { currentLog } from '../../api/log';
import { keepLog, keptLog, keysOf, look, type Trusted } from '../../lib/board-log/checkpoints';
import { LogError } from '../../lib/board-log/note';
import { checkReceipt, readReceipt, type ShownRow } from '../../lib/board-log/receipt';

/** The receipt of whoever is signed in, once it has been checked with the keys that this browser has come to trust. */
export async function fetchReceipt(): Promise<{ text: string; shown: ShownRow }> {
  const text = await dataOf(api.GET('/api/functions/v1/receipt', { parseAs: 'text', cache: 'no-store' }));
  const keys = await keysNow();
  try {
    return { text, shown: await checkReceipt(readReceipt(text), keys) };
  } catch (error) {
    throw error instanceof LogError ? new UserFacingError(error.message) : error;
  }
}

async function keysNow(): Promise<Trusted[]> {
  // First, so that what another page sees meanwhile is not newer than the answer.
  const before = keptLog(location.host);
  const outcome = await look(await currentLog(), before);
  if (outcome.goesOn === 'unknown') throw new UserFacingError('The log of the board could not be looked at. Please try again.');
  if (!outcome.goesOn) throw new UserFacingError(outcome.reason);
  keepLog(outcome.seen, location.host);
  return keysOf(outcome.seen);
}
