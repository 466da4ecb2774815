// The board's word on a published proof: a note signed with the key of its log (server/board-log/src/proof_note.rs, C2SP signed-note).

const FORMAT = 'proof-of-reserves/proof-note/2';

/** The text, and below it a line for each signature. */
const NOTE = /^([^]*\n)\n((?:\u2014 [^\n]*\n)+)$/;

/** The byte of Ed25519 among the kinds of signatures. */
const ED25519 = 1;

/** Notes are below 1 kB. The time that a longer one asks for is for checking signatures. */
const MAX_NOTE_LENGTH = 10_000;

/**
 * What the note in a checked proof is worth, by these keys of its board's log. `other-key`: the board's log signed it with a key that is not one
 * of these, or the note only claims so.
 */
export async function checkNote({ proof: { network, note, statement }, block, ...check }, keys) {
  const own = keys.map(readKey).filter((key) => key && isOfBoard(key.name, statement.origin));
  if (note === undefined || own.length === 0) return { is: 'none' };
  const [, text, lines] = (note.length <= MAX_NOTE_LENGTH && NOTE.exec(note)) || [];
  const signatures = lines?.slice(0, -1).split('\n').map(readSignature) ?? [null];
  if (signatures.includes(null)) return { is: 'false' };
  const signed = own.flatMap((key) => signatures.filter(({ name, id }) => name === key.name && id === key.id).map(({ bytes }) => [key.bytes, bytes]));
  if (signed.length === 0) {
    const isOfLog = signatures.some(({ name }) => isOfBoard(name, statement.origin));
    return { is: isOfLog ? 'other-key' : 'none' };
  }
  for (const [key, signature] of signed) {
    if (!(await isSigned(text, key, signature))) return { is: 'false' };
  }
  const { origin, text: line, provider, subject, account_id: account } = statement;
  const name = nameIn(text);
  const said = {
    network,
    origin,
    line,
    provider,
    subject,
    account,
    name,
    block: { height: block.height, hash: block.hash },
    transaction_sha256: check.transactionSha256,
    previous_outputs_sha256: check.previousOutputsSha256,
  };
  // There is only one valid encoding.
  return typeof name === 'string' && text === `${FORMAT}\n${JSON.stringify(said)}\n` ? { is: 'valid', name } : { is: 'false' };
}

/** The name that the board shows. */
function nameIn(text) {
  try {
    return JSON.parse(text.split('\n')[1])?.name;
  } catch {
    return null;
  }
}

/** A key as boards serve it, `name+id+key`; null for anything else. */
function readKey(text) {
  const [name, id, ...rest] = text.trim().split('+');
  const bytes = bytesOf(rest.join('+'));
  return bytes?.[0] === ED25519 && bytes.length === 33 ? { name, id, bytes: bytes.subarray(1) } : null;
}

function readSignature(line) {
  const [, name, signature, ...more] = line.split(' ');
  const bytes = bytesOf(signature ?? '');
  if (!bytes || bytes.length < 5 || more.length > 0) return null;
  const id = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { name, id, bytes: bytes.subarray(4) };
}

const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Whether a key is named after a log of the board with this origin. On one machine all names and ports are the same host. */
function isOfBoard(name, origin) {
  const [, host] = /^([^/]+)\/log(?:\/\d+)?$/.exec(name) ?? [];
  const boards = [`https://${host}`, `http://${host}`];
  return boards.includes(origin) || (LOOPBACK.test(boards[0]) && LOOPBACK.test(origin));
}

async function isSigned(text, key, signature) {
  const imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', imported, signature, new TextEncoder().encode(text));
}

function bytesOf(base64) {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
