import { logAddress } from '../lib/board-log/address';
import type { LogSource } from '../lib/board-log/checkpoints';
import { LogError } from '../lib/board-log/log-error';
import { ApiError, dataOf, fileAt, publicApi } from './client';

/** Answers that something is not there. All others say nothing about the log. */
const GONE = new Set([404, 410]);

async function at(path: string, cache: RequestCache): Promise<Response> {
  try {
    return await fileAt(path, cache);
  } catch (error) {
    if (!(error instanceof ApiError) || !GONE.has(error.status)) throw error;
    throw new LogError('missing', `The board answered that “${path}” doesn’t exist. By what this browser has seen of its log, it must exist.`);
  }
}

/** The current log of the board that this page is of. Which log that is, is fetched again each time. */
export async function currentLog(): Promise<LogSource> {
  return logAt(logAddress(await dataOf(publicApi.GET('/api/functions/v1/app-config', { cache: 'no-store' }))));
}

/** A log of the board. Tiles never change; all else is fetched again. */
function logAt(address: string): LogSource {
  return {
    host: location.host,
    address,
    text: async (path) => (await at(`${address}/${path}`, 'no-store')).text(),
    bytes: async (path) => new Uint8Array(await (await at(`${address}/${path}`, 'default')).arrayBuffer()),
  };
}
