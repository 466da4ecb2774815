/** Looks at the log of the board now and then, and again before it says that something is wrong. */
import { ApiError } from '../../api/client';
import { currentLog } from '../../api/log';
import { keepLog, keptLog, look, type Look } from '../../lib/board-log/checkpoints';
import { NotChecked } from '../../lib/board-log/checks';

/** The log's look among the queries. */
export const LOG_KEY = ['board-log'] as const;

/** How often a request is repeated after “not found” or an error, and the pause before. A server that restarts answers so. */
const TRIES = 3;
const PAUSE_MS = 20_000;

/** The outcome of a look; `unknown` only when this browser has seen the log before. */
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
  const before = keptLog(location.host);
  try {
    const outcome = await lookOnce();
    if (outcome.goesOn === 'unknown' && !before) throw new Error(outcome.came);
    return outcome;
  } catch (error) {
    if (before && error instanceof NotChecked) return { goesOn: 'unknown', came: '', reason: error.message };
    // No answer at all: the network is away.
    if (!before || !(error instanceof ApiError) || error.status === 0) throw error;
    // A board that says why: its log was restored, or cannot be stored.
    return { goesOn: 'unknown', came: `an error (${error.status})`, ...(error.status === 503 && error.message && { reason: error.message }) };
  }
}

/** Looks at the log, and keeps what was seen when it goes on. */
export async function lookOnce(): Promise<Look> {
  // First, so that a checkpoint that another tab stores is not newer than the answer.
  const before = keptLog(location.host);
  const outcome = await look(await currentLog(), before);
  if (outcome.goesOn === true) keepLog(outcome.seen, location.host);
  return outcome;
}
