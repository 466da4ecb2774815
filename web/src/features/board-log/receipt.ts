import { dataOf, api, publicApi } from '../../api/client';
import { UserFacingError } from '../../lib/errors';
import { currentLog } from '../../api/log';
import { countCosignatures } from '../../lib/board-log/cosignature';
import { keepLog, keptLog, keysOf, look, type Trusted } from '../../lib/board-log/checkpoints';
import { checkReceipt, holdingsOf, readReceipt, type ShownRow } from '../../lib/board-log/receipt';

/** A checked receipt, and how many of the log's witnesses have cosigned it. */
interface CheckedReceipt {
  text: string;
  shown: ShownRow;
  /** What the row shows, in words; null without holdings. */
  holdings: string | null;
  cosigned: number;
  witnesses: number;
}

/** The receipt of the signed-in user, once it has been checked with the keys that this browser has come to trust. */
export async function fetchReceipt(): Promise<CheckedReceipt> {
  const text = await dataOf(api.GET('/api/functions/v1/receipt', { parseAs: 'text', cache: 'no-store' }));
  const keys = await keysNow();
  const receipt = readReceipt(text);
  const shown = await checkReceipt(receipt, keys);
  const { witnesses } = await dataOf(publicApi.GET('/api/functions/v1/app-config'));
  return { text, shown, holdings: holdingsOf(shown.row), cosigned: await countCosignatures(receipt.checkpoint, witnesses), witnesses: witnesses.length };
}

async function keysNow(): Promise<Trusted[]> {
  // First, so that what another page sees meanwhile is not newer than the answer.
  const before = keptLog(location.host);
  const outcome = await look(await currentLog(), before);
  if (outcome.goesOn === 'unknown') throw new UserFacingError('Couldn’t check the board’s log. Please try again.');
  if (!outcome.goesOn) throw new UserFacingError(outcome.reason);
  keepLog(outcome.seen, location.host);
  return keysOf(outcome.seen);
}
