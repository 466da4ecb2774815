/** Where the log of a board is, and what it must therefore be called. */
import { member } from '../member';

const ADDRESS = /^\/log(\/([2-9]|[1-9]\d+))?$/;

/** The address of the current log, from the app's configuration: `/log`, or that of a later log. */
export function logAddress(config: unknown): string {
  const log = member(config, 'log');
  return typeof log === 'string' && ADDRESS.test(log) ? log : '/log';
}

/** The addresses of the logs of a board up to this one, oldest first: earlier logs keep their keys. */
export function logsUpTo(address: string): string[] {
  const number = Number(address.slice('/log/'.length)) || 1;
  return Array.from({ length: number }, (_, at) => (at === 0 ? '/log' : `/log/${at + 1}`));
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Whether a log with this origin is of the board at this host. On one machine all its names and ports are the same host. */
export function isOfHost(origin: string, host: string): boolean {
  const [named = ''] = origin.split('/');
  return named === host || (LOOPBACK.test(named) && LOOPBACK.test(host));
}

/** Whether this is the origin of the log at this address of this host. */
export function isOrigin(origin: string, host: string, address: string): boolean {
  return isOfHost(origin, host) && origin.slice(origin.indexOf('/')) === address;
}
