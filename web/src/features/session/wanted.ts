/**
 * The address that somebody wanted before signing in or choosing a plan, who is led there afterwards (decisions, D18). It lives
 * in this tab's storage, because a sign-in leaves the page.
 */
import { storedText } from '../../lib/storage';

const wanted = storedText('sessionStorage', 'wanted');
/** Whether the session is being ended on purpose: then nothing is wanted any more. */
let leaving = false;

/** Remembers an address of this app. */
export function keepWanted(path: string): void {
  if (!leaving) wanted.set(path);
}

/** The address that was wanted, with its query; null when there is none. */
export function wantedPath(): string | null {
  const path = wanted.get();
  // Only what leads to this app itself.
  return path !== null && /^\/(?![/\\])/.test(path) ? path : null;
}

export const forgetWanted = wanted.remove;

/** Somebody signs out or deletes the account: the page that is left by that is not wanted. */
export function beginLeaving(): void {
  leaving = true;
  forgetWanted();
}

export function isLeaving(): boolean {
  return leaving;
}

/** The login screen is there; whatever is wanted from now on counts again. */
export function endLeaving(): void {
  leaving = false;
}
