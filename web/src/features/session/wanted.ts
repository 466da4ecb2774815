/**
 * The address that somebody wanted before signing in or choosing a plan, who is led there afterwards (decisions, D18). It lives
 * in this tab's storage, because a sign-in leaves the page.
 */

const KEY = 'wanted';
/** Whether the session is being ended on purpose: then nothing is wanted any more. */
let leaving = false;

/** Remembers an address of this app. */
export function keepWanted(path: string): void {
  if (leaving) return;
  try {
    sessionStorage.setItem(KEY, path);
  } catch {
    // Storage is closed to this page: one is led where everybody is.
  }
}

/** The address that was wanted, with its query; null when there is none. */
export function wantedPath(): string | null {
  try {
    const path = sessionStorage.getItem(KEY);
    // Only what leads to this app itself.
    return path !== null && /^\/(?![/\\])/.test(path) ? path : null;
  } catch {
    return null;
  }
}

export function forgetWanted(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing is in a storage that is closed.
  }
}

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
