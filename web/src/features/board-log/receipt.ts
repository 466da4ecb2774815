import { dataOf, api, publicApi } from '../../api/client';
import { UserFacingError } from '../../lib/errors';
import { keysOf, type Trusted } from '../../lib/board-log/checkpoints';
import { countCosignatures } from '../../lib/board-log/checks';
import { checkpointOf, checkReceipt, holdingsOf } from '../../lib/board-log/receipt';
import { lookOnce } from './watch';

/**
 * The receipt of the signed-in user, once it has been checked with the keys that this browser has come to trust: its text, the row that it
 * shows, the row's amount in words, and how many of the log's witnesses have cosigned it.
 */
export async function fetchReceipt() {
  const text = await dataOf(api.GET('/api/functions/v1/receipt', { parseAs: 'text', cache: 'no-store' }));
  const keys = await keysNow();
  const shown = await checkReceipt(text, keys);
  const { witnesses } = await dataOf(publicApi.GET('/api/functions/v1/app-config'));
  return { text, shown, holdings: holdingsOf(shown.row), cosigned: await countCosignatures(await checkpointOf(text), witnesses), witnesses: witnesses.length };
}

async function keysNow(): Promise<Trusted[]> {
  const outcome = await lookOnce();
  if (outcome.goesOn === 'unknown') throw new UserFacingError('Couldn’t check the board’s log. Please try again.');
  if (!outcome.goesOn) throw new UserFacingError(outcome.reason);
  return keysOf(outcome.seen);
}
