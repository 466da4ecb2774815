/**
 * The chosen file in this tab's storage, so that it survives a look at another page and a sign-in. The proof, signing out, or
 * an hour removes it; closing the tab does too.
 */
import { fromBase64, toBase64 } from './bytes';
import { chosenFile } from './chosen-file';

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
  chosenFile.remove();
  if (bytes.length > MOST_BYTES) return;
  chosenFile.set(JSON.stringify({ name, base64: toBase64(bytes), at: now } satisfies Kept));
}

/** The file that is kept; null when there is none, or its hour is over. */
export function keptFile(now = Date.now()): File | null {
  try {
    const kept = JSON.parse(chosenFile.get() ?? 'null') as Kept | null;
    if (!kept) return null;
    if (now - kept.at < KEPT_MS) return new File([fromBase64(kept.base64)], kept.name);
  } catch {
    // Not what was written here.
  }
  chosenFile.remove();
  return null;
}

export const forgetFile = chosenFile.remove;

/** This tab's storage, as a place for a chosen file. */
export const CHOSEN_FILE = { keep: keepFile, kept: keptFile, forget: forgetFile };

export type KeptFile = typeof CHOSEN_FILE;
