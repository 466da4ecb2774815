/** Files that come as text: pasted, dropped, or scanned. */

import { fromBase64, fromHex } from './bytes';

/** `.txn` as well as `.psbt`: Electrum and Coldcard export a completed transaction only so (decisions, D13). */
export const PSBT_ENDINGS = ['.psbt', '.txn'];

/** Base64 and hexadecimal text of a PSBT anywhere in a text: wallets answer with JSON around it (magic: BIP-0174). */
const BASE64 = /cHNidP8[A-Za-z0-9+/]+(?:\r?\n[A-Za-z0-9+/]{20,})*=*/;
const HEX = /70736274ff(?:[0-9a-f]{2})+/i;

/** The bytes that a binary PSBT begins with, as text (BIP-0174). */
const MAGIC = 'psbt';

/** The file in a text: the PSBT in it, or the text itself. */
export function psbtIn(text: string): string {
  return (BASE64.exec(text) ?? HEX.exec(text))?.[0] ?? text.trim();
}

/** Whether this is a PSBT, or a text with one in it. */
export const isPsbtText = (text: string) => text.startsWith(MAGIC) || BASE64.test(text) || HEX.test(text);

/** A file in binary, decoded from any encoding. */
export async function binaryOf(file: Blob, encoding: 'binary' | 'base64' | 'hex'): Promise<Uint8Array<ArrayBuffer>> {
  if (encoding === 'binary') return new Uint8Array(await file.arrayBuffer());
  const text = psbtIn(await file.text()).replaceAll(/\s/g, '');
  return encoding === 'base64' ? fromBase64(text) : (fromHex(text) ?? new Uint8Array());
}

/** A text as a file under a name that tells where it is from and when. */
export function fileOfText(text: string, how: 'pasted' | 'dropped', now = new Date()): File {
  return namedFile(psbtIn(text), how, 'psbt', now);
}

/** The files of a clipboard or a drag: those in it, else its text as one. */
export function filesIn(data: DataTransfer | null, how: 'pasted' | 'dropped'): File[] {
  const files = [...(data?.files ?? [])];
  const text = data?.getData('text/plain') ?? '';
  if (files.length > 0 || text.trim() === '') return files;
  return [fileOfText(text, how)];
}

/** What was no file before, under such a name. */
export function namedFile(
  content: string | Uint8Array<ArrayBuffer>,
  how: 'pasted' | 'dropped' | 'scanned',
  ending: 'psbt' | 'txn',
  now = new Date(),
): File {
  const moment = now.toISOString().slice(0, 16).replace('T', '-').replace(':', '');
  const type = typeof content === 'string' ? 'text/plain' : 'application/octet-stream';
  return new File([content], `${how}-${moment}.${ending}`, { type });
}
