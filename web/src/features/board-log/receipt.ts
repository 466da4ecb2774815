import { dataOf, api, UserFacingError } from '../../api/client';
import { ownLog } from '../../api/log';
import { keepLog, keptLog, look, type Seen } from '../../lib/board-log/checkpoints';
import { LogError } from '../../lib/board-log/note';
import { checkReceipt, readReceipt, type ShownRow } from '../../lib/board-log/receipt';

/** The receipt of whoever is signed in, once it has been checked with the keys that this browser has come to trust. */
export async function fetchReceipt(): Promise<{ text: string; shown: ShownRow }> {
  const text = await dataOf(api.GET('/api/functions/v1/receipt', { parseAs: 'text', cache: 'no-store' }));
  const { keys } = await seenNow();
  try {
    return { text, shown: await checkReceipt(readReceipt(text), keys) };
  } catch (error) {
    throw error instanceof LogError ? new UserFacingError(error.message) : error;
  }
}

async function seenNow(): Promise<Seen> {
  const outcome = await look(ownLog, keptLog(localStorage));
  if (outcome.goesOn === 'unknown') throw new UserFacingError('The log of the board could not be looked at. Please try again.');
  if (!outcome.goesOn) throw new UserFacingError(outcome.reason);
  keepLog(localStorage, outcome.seen);
  return outcome.seen;
}
