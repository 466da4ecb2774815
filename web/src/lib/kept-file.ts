/**
 * The chosen file in this tab's storage, so that it survives a look at another page and a sign-in. The proof, signing out, or
 * an hour removes it; closing the tab does too.
 */
import { fromBase64, toBase64 } from './bytes';

const KEY = 'chosen-file';
const KEPT_MS = 60 * 60 * 1000;
/** A tab's storage holds about five million characters; a larger file is not kept. */
const MOST_BYTES = 2 * 1024 * 1024;

interface Kept {
  name: string;
  base64: string;
  at: number;
}

/** Keeps a file for an hour. */
export function keepFile(name: string, bytes: Uint8Array, now = Date.now()): void {
  forgetFile();
  if (bytes.length > MOST_BYTES) return;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ name, base64: toBase64(bytes), at: now } satisfies Kept));
  } catch {
    // Storage is full or closed to this page: the file is chosen again.
  }
}

/** The file that is kept; null when there is none, or its hour is over. */
export function keptFile(now = Date.now()): File | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Kept | null;
    if (!kept) return null;
    if (now - kept.at < KEPT_MS) return new File([fromBase64(kept.base64)], kept.name);
  } catch {
    // Not what was written here.
  }
  forgetFile();
  return null;
}

export function forgetFile(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is closed to this page, so that nothing is in it.
  }
}
