/** Signed notes (C2SP signed-note): a text and, below it, Ed25519 signatures with the name of their key. */
import { fromBase64, toBase64, toHex } from '../bytes';
import { UserFacingError } from '../errors';
import { sha256 } from './sha256';

/** Why the log, or a receipt of it, is not believed. The sentence is for the reader. */
export class LogError extends UserFacingError {
  override readonly name = 'LogError';

  constructor(
    readonly code: 'malformed' | 'stranger' | 'false-signature' | 'replaced' | 'other-board' | 'other-log' | 'shorter' | 'rewritten' | 'missing' | 'not-included',
    message: string,
  ) {
    super(message);
  }
}

/** A key that checks signatures, written `name+id+key`. */
export interface VerifierKey {
  name: string;
  id: string;
  key: Uint8Array<ArrayBuffer>;
}

interface Signature {
  name: string;
  id: string;
  signature: Uint8Array<ArrayBuffer>;
}

/** The bytes of Ed25519 among the kinds of signatures: of a log, and of a witness. */
const KIND = 1;
export const COSIGNATURE = 4;

const malformed = (what: string) => new LogError('malformed', what);

/** Base64 that is spelled as we would spell it. */
export function exactBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    const bytes = fromBase64(text);
    if (toBase64(bytes) === text) return bytes;
  } catch {
    // The error below says so.
  }
  throw malformed('It has something else instead of base64.');
}

function isName(name: string): boolean {
  // eslint-disable-next-line no-control-regex
  return name !== '' && !/[\s+\u0000-\u001f\u007f-\u009f]/u.test(name);
}

/** Reads a key of a log, or of another kind. */
export async function readKey(text: string, kind = KIND): Promise<VerifierKey> {
  const [name = '', id = '', ...rest] = text.trim().split('+');
  const bytes = exactBase64(rest.join('+'));
  const key = bytes.slice(1);
  const named = bytes[0] === kind && key.length === 32 && (await keyId(name, bytes)) === id;
  if (!isName(name) || !named) throw malformed('This is not a key of a log.');
  return { name, id, key };
}

/** The id of a key: the beginning of the hash of its name, its kind and itself. */
async function keyId(name: string, key: Uint8Array): Promise<string> {
  const hash = await sha256(new Uint8Array([...new TextEncoder().encode(`${name}\n`), ...key]));
  return toHex(hash.slice(0, 4));
}

function readSignature(line: string): Signature {
  const [dash, name = '', signature = '', ...more] = line.split(' ');
  const bytes = exactBase64(signature);
  if (dash !== '\u2014' || more.length > 0 || !isName(name) || bytes.length < 5) throw malformed('This is not a signed note.');
  return { name, id: toHex(bytes.slice(0, 4)), signature: bytes.slice(4) };
}

/** The text of a note, and its signatures. */
export function readNote(note: string): { text: string; signatures: Signature[] } {
  const end = note.lastIndexOf('\n\n');
  // eslint-disable-next-line no-control-regex
  if (end < 0 || !note.endsWith('\n') || /[\u0000-\u0009\u000b-\u001f]/u.test(note)) throw malformed('This is not a signed note.');
  const lines = note.slice(end + 2, -1).split('\n');
  return { text: note.slice(0, end + 1), signatures: lines.map(readSignature) };
}

/** Whether something can be read. */
export function reads(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof LogError) return false;
    throw error;
  }
}

/** Whether this key has signed a text. */
export async function isSigned(text: string, { key }: VerifierKey, signature: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', imported, signature, new TextEncoder().encode(text));
}

/** The text, when one of these keys has signed it. A false signature by one of them spoils it. */
export async function verifiedText(note: string, keys: VerifierKey[]): Promise<string> {
  const { text, signatures } = readNote(note);
  let signed = false;
  for (const key of keys) {
    for (const { name, id, signature } of signatures) {
      if (name !== key.name || id !== key.id) continue;
      if (!(await isSigned(text, key, signature))) {
        throw new LogError('false-signature', 'The signature with the key that you trust is false.');
      }
      signed = true;
    }
  }
  if (!signed) throw new LogError('stranger', 'It is not signed with a key that you trust.');
  return text;
}
