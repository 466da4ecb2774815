// The board's word on a published proof: a note signed with the key of its log (server/board-log/src/proof_note.rs).

const FORMAT = 'proof-of-reserves/proof-note/1';

/** The byte of Ed25519 among the kinds of signatures (C2SP signed-note). */
const ED25519 = 1;

/** Notes are below 1 kB. The time that a longer one asks for is for checking signatures. */
const MAX_NOTE_LENGTH = 10_000;

/** Whether one of these keys of the board's log says that the line is the account's. `check` is what was found of the proof. */
export async function isConfirmed(proof, check, keys) {
  if (check.statement !== null || typeof proof.note !== 'string' || proof.note.length > MAX_NOTE_LENGTH) return false;
  const { origin, text: line, provider, subject, account_id: account } = proof.statement;
  const { host } = new URL(origin);
  const said = /^([^\n]*)\n([^\n]*)\n\n([^]*)\n$/.exec(proof.note);
  if (said?.[1] !== FORMAT || !isSame(said[2], { origin, line, provider, subject, account, block: check.block })) return false;
  const text = new TextEncoder().encode(`${FORMAT}\n${said[2]}\n`);
  for (const key of keys) {
    const [name = '', id = '', ...rest] = key.trim().split('+');
    // A key signs for the board that it is named after.
    if (!name.startsWith(`${host}/log`)) continue;
    for (const signed of said[3].split('\n')) {
      if (await isSigned(signed, name, id, bytesOf(rest.join('+')), text)) return true;
    }
  }
  return false;
}

/** Whether a note says this, about whatever name the board shows. */
function isSame(json, { block, ...expected }) {
  let said;
  try {
    said = JSON.parse(json);
  } catch {
    return false;
  }
  const dated = said?.block === null ? block === null : said?.block?.height === block?.height && said.block.hash === block?.hash;
  return dated && Object.keys(expected).every((member) => said[member] === expected[member]);
}

async function isSigned(line, name, id, key, text) {
  const [dash, by, signature, ...more] = line.split(' ');
  if (dash !== '\u2014' || by !== name || more.length > 0 || key?.[0] !== ED25519 || key.length !== 33) return false;
  const bytes = bytesOf(signature ?? '');
  const named = bytes?.subarray(0, 4) ?? [];
  if (Array.from(named, (byte) => byte.toString(16).padStart(2, '0')).join('') !== id) return false;
  const imported = await crypto.subtle.importKey('raw', key.subarray(1), 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', imported, bytes.subarray(4), text);
}

function bytesOf(base64) {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
