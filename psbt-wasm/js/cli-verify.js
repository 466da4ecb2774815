// `psbt-wasm verify FILE [--reader-words TEXT] [--esplora URL] [--key KEY] [--json]`: checks a published proof, or one for one reader.
// Only --esplora opens a connection.

import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { checkProof, normalizeWords } from './node.js';

const USAGE = `Usage: psbt-wasm verify FILE [--reader-words TEXT] [--esplora URL] [--key KEY] [--json]

Checks a proof of reserves, published by a board or made for one reader: its statement, what carries it and every signature.

  --reader-words TEXT
                 the words that you gave the holder, for a proof for one reader. Without them such a proof is not checked (status 2).

  --esplora URL  also ask this server about the coins and about the block that dates the proof, for example
                 https://blockstream.info/api. Nothing else opens a connection.
  --key KEY      a key of the board's log, as the board serves it at /log/key: with the board's note in the file it confirms
                 the person. May be given more than once.
  --json         print one JSON object: the result, the reason, and what was found out.

Status: 0 nothing is wrong with what was checked, 1 the proof is false, 2 it could not be checked.`;

const [RIGHT, FALSE, UNCHECKED] = [0, 1, 2];

/** The word in `--json` for each status. */
const RESULTS = ['right', 'false', 'unchecked'];

/** Hashes of the first blocks. */
const GENESIS = {
  mainnet: ['000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
  testnet: ['000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943', '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043'],
  signet: ['00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6'],
  regtest: ['0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'],
};

/** The proof is false. */
class Falsehood extends Error {}

/** As JSON, in which no control character reaches the terminal. */
const quoted = (value) => JSON.stringify(value).replaceAll(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, (letter) => `\\u${letter.codePointAt(0).toString(16).padStart(4, '0')}`);
const bitcoin = (sats) => `${sats / 100_000_000n}.${String(sats % 100_000_000n).padStart(8, '0')} BTC`;
const day = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** Origin of a proof for one reader. */
const READER = 'reader';

/** How many blocks after its own block a proof for one reader is old. */
const OLD_AFTER_BLOCKS = 4_032;

/** Writes lines with `say`, and what it finds out into `found`. */
async function verify(file, { esplora, key: keys = [], 'reader-words': words }, { say, found }) {
  const proof = JSON.parse(await readFile(file, 'utf8'));
  const isForReader = proof?.statement?.origin === READER;
  const { host, origin } = isForReader ? { host: 'one reader', origin: READER } : new URL(proof?.statement?.origin);
  const check = await checkProof(proof, origin, { keys });
  if (check.statement) throw new Falsehood(`The statement is false: ${check.statement}.`);
  if (check.carrier) throw new Falsehood(`What carries the statement is false: ${check.carrier}.`);
  const bad = check.inputs.findIndex(({ status, signatures }) => !['valid', 'inconclusive'].includes(status) || signatures.some((one) => !one.commitsToAll));
  if (bad !== -1) throw new Falsehood(`Input ${bad + 1}: ${check.inputs[bad].message ?? 'its signature leaves a part of the transaction open.'}`);

  const coins = proof.binding === 'message' ? proof.inputs.slice(1) : proof.inputs;
  const network = NETWORKS[proof.network] ?? proof.network;
  const { confirmed, name } = check.claimed;
  const [amountSats, signatures] = [String(check.amountSats), check.inputs.length];
  Object.assign(found, { signedFor: host, statement: proof.statement.text, name, confirmed });
  Object.assign(found, { network: proof.network, coins: coins.length, amountSats });
  say(`Signed for ${host}`);
  say(`  ${quoted(proof.statement.text)}`);
  if (isForReader) await compareWords(proof.statement, words, { say, found });
  else if (words !== undefined) throw new Falsehood(`It is for ${host}, not for one reader.`);
  else say(confirmed ? `${host} says that this person did: ${quoted(name)}.` : 'Somebody signed this line. Nobody says that this person did.');
  say(`Stated: ${bitcoin(check.amountSats)} in ${coins.length} ${coins.length === 1 ? 'coin' : 'coins'}.`);
  if (network !== 'mainnet') say(`Test coins (${quoted(proof.network)}): they are worth nothing.`);
  if (!check.complete) throw new Error('Some scripts are of a kind that this program cannot run.');
  found.validSignatures = signatures;
  say(`The signatures of all ${signatures} inputs are valid.`);
  if (esplora) await askChain({ ...check, network, isForReader, coins }, esplora.replace(/\/+$/, ''), { say, found });
  else say('No chain source was asked about the coins. Use --esplora URL.');
  if (isForReader && words === undefined) throw new Error('the words were not compared. Use --reader-words with the words that you gave the holder.');
}

/** Compares the words of the file with those that the reader gave. */
async function compareWords({ subject, name }, given, { say, found }) {
  found.words = subject;
  say(`Words in the file: ${quoted(subject)}`);
  const { mixed } = await normalizeWords(subject);
  if (mixed.length > 0) say(`Check these: they mix letters that look alike: ${mixed.map(quoted).join(', ')}.`);
  say(`The holder says they are ${quoted(name)}. Nobody checked this name.`);
  if (given === undefined) return;
  found.wordsAreYours = (await normalizeWords(given)).text === subject;
  if (!found.wordsAreYours) throw new Falsehood('Its words are different from the words that you gave. It was not made for you.');
  say('The words are the same as yours.');
}

const NETWORKS = { bitcoin: 'mainnet', main: 'mainnet', test: 'testnet', testnet4: 'testnet' };

/** Asks about the coins, and about the block that dates the proof. */
async function askChain({ block, network, isForReader, coins }, base, { say, found }) {
  const source = new URL(base).host;
  const text = async (path) => {
    const answer = await fetch(`${base}/${path}`, { signal: AbortSignal.timeout(20_000), redirect: 'error' });
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`${source} answered with status ${answer.status}.`);
    return (await answer.text()).trim();
  };
  const json = async (path) => JSON.parse((await text(path)) ?? 'null');
  if (!GENESIS[network]?.includes(await text('block-height/0'))) throw new Error(`${source} knows another chain than the one that the proof is about.`);
  let spent = 0;
  for (const { txid, vout, value_sats: sats, script_pubkey: script } of coins) {
    const funding = await json(`tx/${txid}`);
    const output = funding?.vout?.[vout];
    if (!output) throw new Falsehood(`${source} does not know the coin ${txid}:${vout}.`);
    if (output.value !== sats || output.scriptpubkey !== script) throw new Falsehood(`The coin ${txid}:${vout} has another value or script.`);
    if (funding.status?.confirmed !== true) throw new Error(`The coin ${txid}:${vout} is in no block yet.`);
    const spend = await json(`tx/${txid}/outspend/${vout}`);
    if (typeof spend?.spent !== 'boolean') throw new Error(`${source} does not answer as Esplora does.`);
    if (spend.spent && spend.status?.confirmed) spent += 1;
  }
  const height = await text('blocks/tip/height');
  let dated = false;
  found.chain = { source, height: Number(height), signedAfter: null, spent };
  if (!block || block.height === 0) say('Not dated.');
  else if ((await text(`block-height/${block.height}`)) === block.hash) {
    dated = true;
    found.chain.signedAfter = { height: block.height, time: block.time };
    say(`Signed after block ${block.height} (${day(block.time)}).`);
    if (isForReader && height - block.height > OLD_AFTER_BLOCKS) say(`Old: ${height - block.height} blocks came since. Ask for a new one.`);
  } else say(`Not dated: ${source} does not have the block that the statement names.`);
  if (spent > 0) throw new Falsehood(`${spent} of ${coins.length} coins have been spent since, as ${source} says at block ${height}.`);
  say(`The coins were seen unspent at block ${height}, as ${source} says.`);
  if (isForReader && !dated) throw new Error('nothing shows when it was signed. Ask for a new proof.');
}

const OPTIONS = {
  esplora: { type: 'string' },
  'reader-words': { type: 'string' },
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
    return { status: error instanceof Falsehood ? FALSE : UNCHECKED, reason: error.message };
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
