import type { LogSource } from '../lib/board-log/checkpoints';
import { LogError } from '../lib/board-log/note';
import { ApiError, fileAt } from './client';

/** Answers that something is not there. All others say nothing about the log. */
const GONE = new Set([404, 410]);

async function at(path: string, cache: RequestCache): Promise<Response> {
  try {
    return await fileAt(`/log/${path}`, cache);
  } catch (error) {
    if (!(error instanceof ApiError) || !GONE.has(error.status)) throw error;
    throw new LogError('missing', `The board says that “/log/${path}” is not there. It must be, by what this browser has seen of its log.`);
  }
}

/** The log of the board that this page is of. Tiles never change; all else is asked for anew. */
export const ownLog: LogSource = {
  text: async (path) => (await at(path, 'no-store')).text(),
  bytes: async (path) => new Uint8Array(await (await at(path, 'default')).arrayBuffer()),
};
