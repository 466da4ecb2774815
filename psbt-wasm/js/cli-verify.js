// `psbt-wasm verify FILE…`: checks a published proof, or those for one reader. Only --esplora opens a connection.

import { parseArgs } from 'node:util';
import { PsbtError, joinProofs, normalizeWords, readInstant } from './node.js';
import { Esplora } from './cli-esplora.js';
import { bytesIn, checkFile, judgeFile } from './cli-file.js';
import { FALSE, Falsehood, JOINT_REASONS, RESULTS, RIGHT, UNCHECKED, Unchecked, bitcoin, inCoins, quoted } from './cli-words.js';

const USAGE = `Usage: psbt-wasm verify FILE… [--request TEXT] [--at INSTANT] [--esplora URL] [--key KEY] [--one-client] [--json]

Checks a proof of reserves, published by a board or made for one reader: its statement, what carries it and every signature.
FILE may be - for standard input. Several files are proofs for one reader and one request, with one sum for each name.

  --request TEXT the request that you gave the holder, for a proof for one reader. Without it such a proof is not checked (status 2).
  --at INSTANT   which coins were there at this date, with its time zone: 2027-01-01T00:00:00+01:00, or Z for UTC. 24:00 is the end of its
                 day. Without it the coins are looked up as they are now.
  --esplora URL  also ask this server about the coins and about the block that dates the proof, for example
                 https://blockstream.info/api. Nothing else opens a connection. Without it the coins are stated, not looked up
                 (status 2). May be given more than once: then all must say the same.
  --key KEY      the key of the board's log, as the board serves it at /log/key: with the board's note in the file it confirms
                 the person. Without it the person of a published proof is only stated (status 2). May be given more than once.
  --one-client   the names in several files are one client: also print one sum over all of them.
  --json         print one JSON object: the result, the reason, and what was found out.

Status: 0 all of it was checked and is right, 1 the proof is false, 2 not everything could be checked.`;

/** All files together. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 20;
const MAX_COINS = 5_000;

const OPTIONS = {
  at: { type: 'string' },
  esplora: { type: 'string', multiple: true },
  request: { type: 'string' },
  key: { type: 'string', multiple: true },
  'one-client': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
};

/** The address of an Esplora server without a slash at its end. */
function sourceAt(address) {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new Unchecked(`--esplora is no address: ${quoted(address)}. It begins with https://.`);
  }
  return new Esplora(address.replace(/\/+$/, ''));
}

/** What a function of the package says of an option. */
async function option(name, read) {
  try {
    return await read();
  } catch (error) {
    throw error instanceof PsbtError ? new Unchecked(`${name}: ${error.message}`) : error;
  }
}

/** The options as the checks need them. */
async function readOptions({ at, esplora = [], key = [], request }) {
  const sources = esplora.map(sourceAt);
  return {
    keys: key,
    sources,
    asked: request === undefined ? null : await option('--request', async () => (await normalizeWords(request)).text),
    date: at === undefined ? null : { at, time: await option('--at', () => readInstant(at)) },
  };
}

/** The status of what `run` checks, and a sentence on what is wrong with it, or was not checked. */
async function statusOf(run) {
  try {
    await run();
    return { status: RIGHT, reason: null };
  } catch (error) {
    if (error instanceof Falsehood) return { status: FALSE, reason: error.message };
    const isForPeople = error instanceof Unchecked || error instanceof PsbtError;
    return { status: UNCHECKED, reason: isForPeople ? error.message : 'this program failed.' };
  }
}

/** Checks every file by itself, first all that needs no source. */
async function checkEach(paths, options, say) {
  const isOne = paths.length === 1;
  const files = paths.map((path) => ({ path, found: {}, lines: [], checked: null, coins: [], status: RIGHT, reason: null }));
  let size = 0;
  for (const file of files) {
    const output = { say: (line) => file.lines.push(line), found: file.found };
    const verdict = await statusOf(async () => {
      const bytes = bytesIn(file.path);
      size += bytes.length;
      if (size > MAX_BYTES) throw new Unchecked('the files are too large: together they can have 64 MiB.');
      file.checked = await checkFile(bytes, { ...options, isOne }, output);
    });
    Object.assign(file, verdict);
  }
  const count = files.reduce((sum, { checked }) => sum + (checked?.coins.length ?? 0), 0);
  const isTooMany = !isOne && count > MAX_COINS;
  for (const file of files) {
    if (file.status === RIGHT) {
      const output = { say: (line) => file.lines.push(line), found: file.found };
      const verdict = await statusOf(async () => {
        if (isTooMany) throw new Unchecked(JOINT_REASONS['too-many']());
        file.coins = await judgeFile(file.checked, options, output);
      });
      Object.assign(file, verdict);
    }
    if (!isOne) say(quoted(file.path));
    for (const line of file.lines) say(isOne ? line : `  ${line}`);
    if (!isOne && file.status !== RIGHT) say(`  ${sentence(file)}`);
    if (!isOne) say('');
  }
  return files;
}

const sentence = ({ status, reason }) => `${status === FALSE ? 'This proof is false.' : 'Not everything could be checked:'} ${reason}`;

/** What several files are together. */
async function join(files, oneClient, say) {
  // A file that could not be read has no request of its own.
  const known = files.find(({ found }) => found.request !== undefined)?.found;
  const joined = files.map(({ found, status, coins, path }) => ({
    sha256: found.sha256 ?? Buffer.from(path).toString('hex'),
    network: found.network ?? known?.network ?? 'mainnet',
    request: found.request ?? known?.request ?? '',
    name: found.name ?? '',
    status: RESULTS[status],
    coins,
  }));
  const joint = await joinProofs(joined, { oneClient });
  for (const { name, files: own, coinCount, amountSats } of joint.names) {
    if (amountSats !== null) say(`${quoted(name)}: at least ${bitcoin(amountSats)} in ${inCoins(coinCount)} of ${own.length} ${own.length === 1 ? 'file' : 'files'}.`);
  }
  if (joint.amountSats !== null && joint.names.length > 1) say(`Together, as one client: at least ${bitcoin(joint.amountSats)}.`);
  for (const { txid, vout, files: own } of joint.shared) say(`The coin ${txid}:${vout} is in ${own.length} files and counts once.`);
  const status = RESULTS.indexOf(joint.status);
  return { joint, status, reason: joint.reason && JOINT_REASONS[joint.reason](quoted(files[joint.file]?.path ?? '')) };
}

/** Sums as text: JSON has no `bigint`. */
const inJson = (sats) => (sats === null ? null : String(sats));

async function verify(paths, values, say) {
  let options = null;
  const refused = await statusOf(async () => {
    if (paths.length > MAX_FILES) throw new Unchecked(JOINT_REASONS['too-many']());
    options = await readOptions(values);
  });
  if (options === null) return { ...refused, found: {} };
  const files = await checkEach(paths, options, say);
  if (files.length === 1) return files[0];
  const dates = new Set(files.map(({ found }) => JSON.stringify([found.date?.lower, found.date?.upper])));
  const hasMoved = options.date !== null && files.every(({ status }) => status === RIGHT) && dates.size > 1;
  if (hasMoved) return { status: UNCHECKED, reason: 'blocks were replaced meanwhile. Check again.', found: {} };
  const { joint, status, reason } = await join(files, values['one-client'] === true, say);
  const found = {
    amountSats: inJson(joint.amountSats),
    names: joint.names.map((name) => ({ ...name, amountSats: inJson(name.amountSats) })),
    shared: joint.shared,
    files: files.map((file) => ({ file: file.path, result: RESULTS[file.status], reason: file.reason, ...file.found })),
  };
  return { status, reason, found };
}

async function main() {
  let parsed;
  try {
    parsed = parseArgs({ options: OPTIONS, allowPositionals: true });
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    return UNCHECKED;
  }
  const { values, positionals: [command, ...paths] } = parsed;
  if (values.help) {
    console.log(USAGE);
    return RIGHT;
  }
  if (command !== 'verify' || paths.length === 0) {
    console.error(USAGE);
    return UNCHECKED;
  }
  const say = values.json ? () => {} : console.log;
  const { status, reason, found } = await verify(paths, values, say);
  if (values.json) console.log(quoted({ result: RESULTS[status], reason, ...found }));
  else if (status !== RIGHT) console.error(paths.length === 1 ? sentence({ status, reason }) : `${status === FALSE ? 'Together they are false:' : 'Not everything could be checked:'} ${reason}`);
  return status;
}

process.exitCode = await main();
