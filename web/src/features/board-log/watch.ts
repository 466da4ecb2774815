/** Looks at the log of the board now and then, and again before it says that something is wrong. */
import { ApiError } from '../../api/client';
import { currentLog } from '../../api/log';
import { keepLog, keptLog, look, type Look } from '../../lib/board-log/checkpoints';

/** How often an answer is asked for that something is not there, or that is an error, and the pause before. Servers that begin anew give such. */
const TRIES = 3;
const PAUSE_MS = 20_000;

/** What was seen; unknown is only told when there is something to hold the log against. */
export async function watchLog(): Promise<Look> {
  for (let left = TRIES - 1; ; left -= 1) {
    const outcome = await watched();
    if (left === 0 || !mayPass(outcome)) return outcome;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function mayPass(outcome: Look): boolean {
  if (outcome.goesOn !== false) return outcome.goesOn === 'unknown';
  // Another log without a beginning may be an earlier one, from a server that has not heard of the new one yet.
  return outcome.code === 'missing' || (outcome.code === 'other-log' && outcome.newLog === null);
}

async function watched(): Promise<Look> {
  // First, so that whatever another page sees meanwhile is not newer than the answer.
  const before = keptLog(location.host);
  try {
    const outcome = await look(await currentLog(), before);
    if (outcome.goesOn === true) keepLog(outcome.seen, location.host);
    if (outcome.goesOn === 'unknown' && !before) throw new Error(outcome.came);
    return outcome;
  } catch (error) {
    // No answer at all: the network is away, and nobody is to blame.
    if (!before || !(error instanceof ApiError) || error.status === 0) throw error;
    return { goesOn: 'unknown', came: `an error (${error.status})` };
  }
}
