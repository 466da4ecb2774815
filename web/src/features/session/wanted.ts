/**
 * The address that the user wanted before signing in or choosing a plan, and gets afterwards (decisions, D18). In this tab's storage,
 * because a sign-in leaves the page.
 */
import { storedText } from '../../lib/storage';

const wanted = storedText('sessionStorage', 'wanted');
/** Whether the user is signing out: then no address is wanted. */
let leaving = false;

/** Remembers an address of this app. */
export function keepWanted(path: string): void {
  if (!leaving) wanted.set(path);
}

/** The address that was wanted, with its query; null when there is none. */
export function wantedPath(): string | null {
  const path = wanted.get();
  // Only addresses of this app.
  return path !== null && /^\/(?![/\\])/.test(path) ? path : null;
}

export const forgetWanted = wanted.remove;

/** The user signs out or deletes the account. */
export function beginLeaving(): void {
  leaving = true;
  forgetWanted();
}

export function isLeaving(): boolean {
  return leaving;
}

/** The login screen is open. */
export function endLeaving(): void {
  leaving = false;
}
