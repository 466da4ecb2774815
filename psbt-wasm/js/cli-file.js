// One proof file, as `psbt-wasm verify` checks it: first by itself, then with what chain sources say.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checkProof, judgeDate, normalizeWords, readProof } from './node.js';
import { DATE_REASONS, Falsehood, Unchecked, bitcoin, conditionsIn, day, inCoins, othersAt, quoted, utc } from './cli-words.js';

/** Hashes of the first blocks. */
const GENESIS = Object.fromEntries(JSON.parse(readFileSync(new URL('networks.json', import.meta.url), 'utf8')).map(({ network, genesis }) => [network, genesis]));

/** Origin of a proof for one reader. */
const READER = 'reader';

/** A proof for one reader counts as old when the chain is more than this many blocks past its block. */
const OLD_AFTER_BLOCKS = 4_032;

/** Confirmations that the block of a proof for one reader needs. */
const DEPTH = 6;

export function bytesIn(file) {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch {
    throw new Unchecked(`the file ${quoted(file)} cannot be read.`);
  }
}

/** Checks all that needs no source. Writes lines with `say`, and what it finds out into `found`. */
export async function checkFile(file, { keys, asked, sources, isOne }, { say, found }) {
  const proof = await readProof(file);
  const { origin, text } = proof.statement;
  const isForReader = origin === READER;
  const host = isForReader ? 'one reader' : URL.canParse(origin) ? new URL(origin).host : quoted(origin);
  const check = await checkProof(file, origin, { keys });
  if (check.statement) throw new Falsehood(`The statement is false: ${check.statement}.`);
  if (check.carrier) throw new Falsehood(`What carries the statement is false: ${check.carrier}.`);
  const bad = check.inputs.findIndex(({ status, signatures }) => !['valid', 'inconclusive'].includes(status) || signatures.some((one) => !one.commitsToAll));
  if (bad !== -1) throw new Falsehood(`Input ${bad + 1}: ${check.inputs[bad].message ?? 'its signature leaves a part of the transaction open.'}`);
  if (check.further) throw new Falsehood(`A signature that no script needs is wrong: ${check.further}.`);
  if (check.note.is === 'false') throw new Falsehood(`The note in it is not the note of ${host} on this proof.`);
  if (!isForReader && !isOne) throw new Falsehood(`It is for ${host}, not for one reader.`);

  const { network } = proof;
  const virtual = proof.binding === 'message' ? 1 : 0;
  const coins = proof.inputs.slice(virtual);
  const { confirmed, name } = check.claimed;
  const [amountSats, signatures] = [String(check.amountSats), check.inputs.length];
  const sha256 = createHash('sha256').update(file).digest('hex');
  Object.assign(found, { signedFor: host, statement: text, name, confirmed, network, coins: coins.length, amountSats, sha256 });
  say(`Signed for ${host}`);
  say(`  ${quoted(text)}`);
  if (isForReader) await compareRequest(proof.statement, asked, { say, found });
  else if (asked !== null) throw new Falsehood(`It is for ${host}, not for one reader.`);
  else say(confirmed ? `${host} says that this person did: ${quoted(check.note.name)}.` : 'Somebody signed this line. Nobody says that this person did.');
  if (check.note.is === 'other-key') say(`Its note names another key of ${host}. The board has changed its key since: fetch the file again.`);
  if (network !== 'mainnet') say(`Test coins (${network}): they are worth nothing.`);
  if (!check.complete) throw new Unchecked('some scripts are of a kind that this program cannot run.');
  found.validSignatures = signatures + (proof.further_signatures?.length ?? 0);
  say(`The signatures of all ${signatures} inputs are valid.`);
  const conditions = check.conditions.slice(virtual);
  found.conditions = conditions.map((one) => conditionsIn(one));
  sayKeys(found.conditions, say);
  const sum = `${bitcoin(check.amountSats)} in ${inCoins(coins.length)}`;
  if (sources.length === 0) {
    say(`Stated, not looked up: ${sum}.`);
    throw new Unchecked('the coins are stated, not looked up. Use --esplora URL.');
  }
  return { network, block: check.block, coins, sum, isForReader, asked, host, keys, confirmed };
}

/** What scripts ask for and who signed, each once with the number of its coins. */
function sayKeys(conditions, say) {
  for (const words of new Set(conditions)) say(`${words}: ${inCoins(conditions.filter((one) => one === words).length)}.`);
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

/** Asks the sources, and judges the proof now or at a date. Returns its coins, each with whether it counts. */
export async function judgeFile(checked, { sources, date }, { say, found }) {
  const { network, block, coins, isForReader, asked, host, keys, confirmed } = checked;
  const answers = [];
  for (const source of sources) {
    await source.requireGenesis(GENESIS[network]);
    answers.push(await source.lookUp({ coins, block, time: date?.time ?? null }));
  }
  const judge = date === null ? judgeNow : judgeThen;
  const verdicts = [];
  for (const answer of answers) verdicts.push(await judge(checked, answer, date));
  const [first, ...others] = verdicts;
  const other = others.findIndex(({ same }) => same !== first.same);
  if (other !== -1) throw new Unchecked(`${answers[0].host} and ${answers[other + 1].host} disagree about its coins or blocks.`);
  Object.assign(found, first.found);
  for (const line of first.lines) say(line);
  if (others.length > 0) say(`${answers.map(({ host }) => host).join(' and ')} say the same.`);
  if (first.error) throw first.error;
  if (!isForReader && !confirmed) throw new Unchecked(unconfirmed(host, keys));
  if (isForReader && asked === null) throw new Unchecked('the request was not compared. Use --request with the request that you gave the holder.');
  return first.coins;
}

/** Why the person of a published proof is only stated, and what to do. */
function unconfirmed(host, keys) {
  if (keys.length === 0) return `the person is stated, not confirmed. Use --key KEY, with what ${host} serves at /log/key.`;
  return `no note by the given key confirms the person. ${host} may have changed its key: fetch the file again.`;
}

/** What a source says about when the proof was signed. */
function dating({ block }, { host, isDated }) {
  if (isDated) return `Signed after block ${block.height} (${day(block.time)}).`;
  return block.height === 0 ? 'Not dated.' : `Not dated: ${host} does not have the block that the statement names.`;
}

/** The coins of a proof as `joinProofs` takes them. */
const listed = (coins, counts) => coins.map(({ txid, vout, value_sats: sats }, at) => ({ txid, vout, valueSats: BigInt(sats), counts: counts(at) }));

/** The proof as the source's newest block has it. `same`: what other sources must say as well. */
function judgeNow(checked, answer) {
  const { block, coins, sum, isForReader } = checked;
  const { host, tip, histories, isDated } = answer;
  const signedAfter = isDated ? { height: block.height, time: block.time } : null;
  const spent = histories.filter((one) => one.spent !== null).length;
  const lines = [dating(checked, answer)];
  const at = histories.findIndex(({ funded }) => funded === null);
  let error = null;
  if (at !== -1) error = new Unchecked(`the coin ${coins[at].txid}:${coins[at].vout} is in no block yet.`);
  else if (spent > 0) error = new Falsehood(`${spent} of ${coins.length} coins have been spent since, as ${host} says at block ${tip}.`);
  else {
    lines.push(`${sum}: seen unspent at block ${tip}, as ${host} says.`);
    if (isForReader) error = ageOf(tip - block.height, isDated);
  }
  return {
    found: { chain: { source: host, height: tip, signedAfter, spent } },
    lines,
    error,
    coins: listed(coins, () => true),
    same: JSON.stringify([isDated, histories.map(({ funded, spent }) => [funded !== null, spent !== null])]),
  };
}

/** A proof for one reader is right only when it is recent: keys may have changed hands since. */
function ageOf(blocks, isDated) {
  if (!isDated) return new Unchecked(DATE_REASONS['not-dated']);
  if (blocks > OLD_AFTER_BLOCKS) return new Unchecked(`it is old: ${blocks} blocks came since. Ask for a new proof.`);
  if (blocks < DEPTH) return new Unchecked(`it is too new: its block has ${blocks} of ${DEPTH} blocks above it. Check again later.`);
  return null;
}

/** The proof at a date. */
async function judgeThen(checked, answer, { at, time }) {
  const { block, coins } = checked;
  const { host, tip, bounds, histories, isDated } = answer;
  const own = histories.map(({ funded, spent }, at) => ({ valueSats: BigInt(coins[at].value_sats), funded, spent }));
  const verdict = await judgeDate({ bounds, signedAfter: isDated ? block.height : null, tip, coins: own });
  const { status, reason, control, stoodSats, sinceSats } = verdict;
  const states = own.map((coin, at) => ({ ...coin, state: verdict.coins[at] }));
  const stood = states.filter(({ state }) => state === 'stood');
  const lines = [dating(checked, answer), `At ${at}, which is ${utc(time)}:`];
  const blockWords = ({ height, time, medianTime }) => `block ${height} (time ${utc(time)}, median time past ${utc(medianTime)})`;
  if (bounds.settled) {
    lines.push(`  ${bounds.lower ? `from ${blockWords(bounds.lower)}` : 'from before the first block'} to ${bounds.upper ? blockWords(bounds.upper) : 'before the first block'}, as ${host} says at block ${tip}.`);
    const words = control === 'later' ? 'Control was shown later than the date.' : 'Existence and control at the date.';
    if (stood.length > 0) lines.push(`At least ${bitcoin(stoodSats)} in ${inCoins(stood.length)} stood at the date. ${control ? words : ''}`.trim());
    lines.push(...othersAt(states), 'This shows existence and control, not completeness, debts or sole control.');
  }
  const date = {
    at,
    time,
    lower: bounds.lower,
    upper: bounds.upper,
    settled: bounds.settled,
    control,
    stoodSats: String(stoodSats),
    sinceSats: String(sinceSats),
    coins: states.map(({ funded, spent, state, valueSats }, at) => ({ txid: coins[at].txid, vout: coins[at].vout, valueSats: String(valueSats), funded, spent, state })),
  };
  const Kind = status === 'false' ? Falsehood : Unchecked;
  return {
    found: { chain: { source: host, height: tip, signedAfter: isDated ? { height: block.height, time: block.time } : null }, date },
    lines,
    error: reason && new Kind(DATE_REASONS[reason]),
    coins: listed(coins, (at) => verdict.coins[at] === 'stood'),
    same: JSON.stringify([isDated, bounds, verdict.coins, status]),
  };
}
