/** The checks of a board's log: a module of the package has those that the server and the audit use (server/board-log). */
import { UserFacingError } from '../errors';
import { member } from '../member';
import { isLogCode, LogError } from './log-error';

/** The module could not be loaded, so nothing is known of the log. */
export class NotChecked extends UserFacingError {
  override readonly name = 'NotChecked';
}

type Checks = (typeof import('psbt-wasm/bundler/log'))['functions'];

let loading: Promise<Checks> | null = null;

async function load(): Promise<Checks> {
  try {
    loading ??= import('psbt-wasm/bundler/log').then(({ functions }) => functions);
    return await loading;
  } catch {
    loading = null;
    throw new NotChecked('This page couldn’t load what checks the board’s log. Reload the page.');
  }
}

/** Runs a check. What is wrong with the log is thrown as a LogError. */
export async function checked<T>(check: (checks: Checks) => T): Promise<T> {
  const checks = await load();
  try {
    return check(checks);
  } catch (error) {
    const code = member(error, 'code');
    throw isLogCode(code) ? new LogError(code) : error;
  }
}

/** How many of these witnesses have cosigned a checkpoint, by their verifier keys. One witness counts once, under whatever names. */
export async function countCosignatures(checkpoint: string, witnesses: string[]): Promise<number> {
  return checked((log) => log.countCosignatures(checkpoint, JSON.stringify(witnesses)));
}
