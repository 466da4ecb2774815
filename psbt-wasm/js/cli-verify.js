// `psbt-wasm verify FILE [--request TEXT] [--esplora URL] [--key KEY] [--json]`: checks a published proof, or one for one reader.
// Only --esplora opens a connection.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PsbtError, checkProof, normalizeWords, readProof } from './node.js';

const USAGE = `Usage: psbt-wasm verify FILE [--request TEXT] [--esplora URL] [--key KEY] [--json]

Checks a proof of reserves, published by a board or made for one reader: its statement, what carries it and every signature.
FILE may be - for standard input.

  --request TEXT the request that you gave the holder, for a proof for one reader. Without it such a proof is not checked (status 2).

  --esplora URL  also ask this server about the coins and about the block that dates the proof, for example
                 https://blockstream.info/api. Nothing else opens a connection. Without it the coins are stated, not looked up
                 (status 2).
  --key KEY      the key of the board's log, as the board serves it at /log/key: with the board's note in the file it confirms
                 the person. Without it the person of a published proof is only stated (status 2). May be given more than once.
  --json         print one JSON object: the result, the reason, and what was found out.

Status: 0 all of it was checked and is right, 1 the proof is false, 2 not everything could be checked.`;

const [RIGHT, FALSE, UNCHECKED] = [0, 1, 2];

/** The word in `--json` for each status. */
const RESULTS = ['right', 'false', 'unchecked'];

/** Hashes of the first blocks. */
const GENESIS = Object.fromEntries(JSON.parse(readFileSync(new URL('networks.json', import.meta.url), 'utf8')).map(({ network, genesis }) => [network, genesis]));

/** The proof is false. */
class Falsehood extends Error {}

/** Something could not be checked. */
class Unchecked extends Error {}

/** As JSON, in which no control character reaches the terminal. */
const quoted = (value) => JSON.stringify(value).replaceAll(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, (letter) => `\\u${letter.codePointAt(0).toString(16).padStart(4, '0')}`);
const bitcoin = (sats) => `${sats / 100_000_000n}.${String(sats % 100_000_000n).padStart(8, '0')} BTC`;
const day = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** Origin of a proof for one reader. */
const READER = 'reader';

/** A proof for one reader counts as old when the chain is more than this many blocks past its block. */
const OLD_AFTER_BLOCKS = 4_032;

/** Confirmations that the block of a proof for one reader needs. */
const DEPTH = 6;

function bytesIn(file) {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch {
    throw new Unchecked(`the file ${quoted(file)} cannot be read.`);
  }
}

/** The address of an Esplora server without a slash at its end; null when none was given. */
function sourceAt(address) {
  if (address === undefined) return null;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new Unchecked(`--esplora is no address: ${quoted(address)}. It begins with https://.`);
  }
  return address.replace(/\/+$/, '');
}

async function requestIn(text) {
  if (text === undefined) return null;
  try {
    return (await normalizeWords(text)).text;
  } catch (error) {
    throw error instanceof PsbtError ? new Unchecked(`--request: ${error.message}`) : error;
  }
}

/** Writes lines with `say`, and what it finds out into `found`. */
async function verify(path, { esplora, key: keys = [], request }, { say, found }) {
  const [source, asked] = [sourceAt(esplora), await requestIn(request)];
  const file = bytesIn(path);
  const proof = await readProof(file);
  const { origin, text } = proof.statement;
  const isForReader = origin === READER;
  const host = isForReader ? 'one reader' : URL.canParse(origin) ? new URL(origin).host : quoted(origin);
  const check = await checkProof(file, origin, { keys });
  if (check.statement) throw new Falsehood(`The statement is false: ${check.statement}.`);
  if (check.carrier) throw new Falsehood(`What carries the statement is false: ${check.carrier}.`);
  const bad = check.inputs.findIndex(({ status, signatures }) => !['valid', 'inconclusive'].includes(status) || signatures.some((one) => !one.commitsToAll));
  if (bad !== -1) throw new Falsehood(`Input ${bad + 1}: ${check.inputs[bad].message ?? 'its signature leaves a part of the transaction open.'}`);
  if (check.note.is === 'false') throw new Falsehood(`The note in it is not the note of ${host} on this proof.`);

  const { network } = proof;
  const coins = proof.binding === 'message' ? proof.inputs.slice(1) : proof.inputs;
  const { confirmed, name } = check.claimed;
  const [amountSats, signatures] = [String(check.amountSats), check.inputs.length];
  Object.assign(found, { signedFor: host, statement: text, name, confirmed, network, coins: coins.length, amountSats });
  say(`Signed for ${host}`);
  say(`  ${quoted(text)}`);
  if (isForReader) await compareRequest(proof.statement, asked, { say, found });
  else if (asked !== null) throw new Falsehood(`It is for ${host}, not for one reader.`);
  else say(confirmed ? `${host} says that this person did: ${quoted(check.note.name)}.` : 'Somebody signed this line. Nobody says that this person did.');
  if (check.note.is === 'other-key') say(`Its note names another key of ${host}. The board has changed its key since: fetch the file again.`);
  if (network !== 'mainnet') say(`Test coins (${network}): they are worth nothing.`);
  if (!check.complete) throw new Unchecked('some scripts are of a kind that this program cannot run.');
  found.validSignatures = signatures;
  say(`The signatures of all ${signatures} inputs are valid.`);
  const sum = `${bitcoin(check.amountSats)} in ${coins.length} ${coins.length === 1 ? 'coin' : 'coins'}`;
  if (source === null) {
    say(`Stated, not looked up: ${sum}.`);
    throw new Unchecked('the coins are stated, not looked up. Use --esplora URL.');
  }
  await askChain({ block: check.block, network, isForReader, coins, sum }, source, { say, found });
  if (!isForReader && !confirmed) throw new Unchecked(unconfirmed(host, keys));
  if (isForReader && asked === null) throw new Unchecked('the request was not compared. Use --request with the request that you gave the holder.');
}

/** Why the person of a published proof is only stated, and what to do. */
function unconfirmed(host, keys) {
  if (keys.length === 0) return `the person is stated, not confirmed. Use --key KEY, with what ${host} serves at /log/key.`;
  return `no note by the given key confirms the person. ${host} may have changed its key: fetch the file again.`;
}

/** Compares the request in the file with the one that the reader gave. */
async function compareRequest({ subject, name }, asked, { say, found }) {
  found.request = subject;
  say(`Request in the file: ${quoted(subject)}`);
  const { mixed } = await normalizeWords(subject);
  if (mixed.length > 0) say(`Check these: they mix letters that look alike: ${mixed.map(quoted).join(', ')}.`);
  say(`The holder says they are ${quoted(name)}. Nobody checked this name.`);
  if (asked === null) return;
  found.requestIsYours = asked === subject;
  if (!found.requestIsYours) throw new Falsehood('Its request is different from the one that you gave. It was not made for you.');
  say('The request is the same as yours.');
}

/** Asks about the coins, and about the block that dates the proof. */
async function askChain({ block, network, isForReader, coins, sum }, base, { say, found }) {
  const source = new URL(base).host;
  const odd = () => new Unchecked(`${source} does not answer as Esplora does.`);
  const text = async (path) => {
    const answer = await fetch(`${base}/${path}`, { signal: AbortSignal.timeout(20_000), redirect: 'error' }).catch(() => null);
    if (!answer) throw new Unchecked(`${source} does not answer.`);
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Unchecked(`${source} answered with status ${answer.status}.`);
    return (await answer.text()).trim();
  };
  const json = async (path) => {
    const answer = await text(path);
    try {
      return JSON.parse(answer ?? 'null');
    } catch {
      throw odd();
    }
  };
  if ((await text('block-height/0')) !== GENESIS[network]) throw new Unchecked(`${source} knows another chain than the one that the proof is about.`);
  let spent = 0;
  for (const { txid, vout, value_sats: sats, script_pubkey: script } of coins) {
    const funding = await json(`tx/${txid}`);
    const output = funding?.vout?.[vout];
    if (!output) throw new Falsehood(`${source} does not know the coin ${txid}:${vout}.`);
    if (output.value !== sats || output.scriptpubkey !== script) throw new Falsehood(`The coin ${txid}:${vout} has another value or script.`);
    if (funding.status?.confirmed !== true) throw new Unchecked(`the coin ${txid}:${vout} is in no block yet.`);
    const spend = await json(`tx/${txid}/outspend/${vout}`);
    if (typeof spend?.spent !== 'boolean') throw odd();
    if (spend.spent && spend.status?.confirmed) spent += 1;
  }
  const height = Number((await text('blocks/tip/height')) ?? 'none');
  if (!Number.isSafeInteger(height)) throw odd();
  const isDated = block.height !== 0 && (await text(`block-height/${block.height}`)) === block.hash;
  const signedAfter = isDated ? { height: block.height, time: block.time } : null;
  found.chain = { source, height, signedAfter, spent };
  if (isDated) say(`Signed after block ${block.height} (${day(block.time)}).`);
  else say(block.height === 0 ? 'Not dated.' : `Not dated: ${source} does not have the block that the statement names.`);
  if (spent > 0) throw new Falsehood(`${spent} of ${coins.length} coins have been spent since, as ${source} says at block ${height}.`);
  say(`${sum}: seen unspent at block ${height}, as ${source} says.`);
  if (isForReader) judgeDate(height - block.height, isDated);
}

/** A proof for one reader is right only when it is recent: keys may have changed hands since. */
function judgeDate(blocks, isDated) {
  if (!isDated) throw new Unchecked('nothing shows when it was signed. Ask for a new proof.');
  if (blocks > OLD_AFTER_BLOCKS) throw new Unchecked(`it is old: ${blocks} blocks came since. Ask for a new proof.`);
  if (blocks < DEPTH) throw new Unchecked(`it is too new: its block has ${blocks} of ${DEPTH} blocks above it. Check again later.`);
}

const OPTIONS = {
  esplora: { type: 'string' },
  request: { type: 'string' },
  key: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
};

/** The status of a check, and a sentence on what is wrong with the proof, or was not checked. */
async function judge(file, values, output) {
  try {
    await verify(file, values, output);
    return { status: RIGHT, reason: null };
  } catch (error) {
    if (error instanceof Falsehood) return { status: FALSE, reason: error.message };
    const isForPeople = error instanceof Unchecked || error instanceof PsbtError;
    return { status: UNCHECKED, reason: isForPeople ? error.message : 'this program failed.' };
  }
}

async function main() {
  let parsed;
  try {
    parsed = parseArgs({ options: OPTIONS, allowPositionals: true });
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    return UNCHECKED;
  }
  const { values, positionals: [command, file, ...more] } = parsed;
  if (values.help) {
    console.log(USAGE);
    return RIGHT;
  }
  if (command !== 'verify' || !file || more.length > 0) {
    console.error(USAGE);
    return UNCHECKED;
  }
  const found = {};
  const say = values.json ? () => {} : console.log;
  const { status, reason } = await judge(file, values, { say, found });
  if (values.json) console.log(quoted({ result: RESULTS[status], reason, ...found }));
  else if (status !== RIGHT) console.error(`${status === FALSE ? 'This proof is false.' : 'Not everything could be checked:'} ${reason}`);
  return status;
}

process.exitCode = await main();
