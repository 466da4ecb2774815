// `psbt-wasm vectors [FOLDER]`: cases of BIP-322 for those who implement it, and whether their answers are right.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { PsbtError, init, readPsbt, verifyMessage } from './node.js';

const USAGE = `usage: psbt-wasm vectors [FOLDER] [--official FILE]
       psbt-wasm vectors --check FOLDER

Cases of BIP-322 for wallets and devices: signatures to verify, messages and PSBTs to sign, PSBTs to refuse.

  without FOLDER   lists the cases
  FOLDER           writes them there: cases.json, answers.json to fill in, and each PSBT as ID.psbt
  --official FILE  adds the vectors of the standard, a file of bitcoin/bips in the folder bip-0322. May be given more than once.
  --check FOLDER   checks answers.json there, and each signed PSBT that is saved beside it as ID-signed.psbt

An answer is, by the task of the case:
  verify  valid, valid-with-locks, invalid or inconclusive; true or false from a verifier that knows only these
  sign    the signature, or the signed PSBT in Base64
  refuse  refused

Cases without an answer are not checked. Ends with 0 if every answer is right, 1 if one is wrong, and 2 if the command is wrong.`;

/** Wrong use, not a wrong answer. */
class UsageError extends Error {}

const OPTIONS = { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' }, official: { type: 'string', multiple: true, default: [] } };

async function main() {
  let parsed;
  try {
    parsed = parseArgs({ options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message, { cause: error });
  }
  const { values, positionals: [, folder, ...more] } = parsed;
  if (values.help) return console.log(USAGE);
  if (more.length > 0 || (values.check && !folder)) throw new UsageError('name one folder.');
  await init();
  if (values.check) return checkAnswers(folder);
  const own = JSON.parse(readFileSync(new URL('bip322.json', import.meta.url), 'utf8'));
  const cases = [...own.cases, ...values.official.flatMap(officialCases)];
  if (folder) write(folder, { ...own, cases });
  else for (const { id, task, carrier, script, status, because } of cases) console.log([id, task, carrier, script, status ?? '', because].join('\t'));
}

function write(folder, set) {
  if (existsSync(join(folder, 'answers.json'))) throw new UsageError(`${folder} has answers already. Name a new folder.`);
  mkdirSync(folder, { recursive: true });
  const save = (name, content) => writeFileSync(join(folder, name), content);
  save('cases.json', `${JSON.stringify(set, null, 2)}\n`);
  save('answers.json', `${JSON.stringify(Object.fromEntries(set.cases.map(({ id }) => [id, ''])), null, 2)}\n`);
  for (const { id, psbt } of set.cases) if (psbt) save(`${id}.psbt`, Buffer.from(psbt, 'base64'));
  console.log(`${set.cases.length} cases are in ${folder}. Write answers into ${join(folder, 'answers.json')}, then: psbt-wasm vectors --check ${folder}`);
}

/** The vectors of a file of the standard, as cases to verify. */
function officialCases(path) {
  const vectors = parsedFile(path);
  const name = basename(path, '.json');
  const cases = ['simple', 'full', 'proof_of_funds', 'error'].flatMap((list) =>
    (vectors[list] ?? []).flatMap((vector, index) =>
      (vector.bip322_signatures ?? [vector.signature]).map((signature, which) => ({
        id: `${name}-${list.replaceAll('_', '-')}-${index + 1}${which > 0 ? `-${which + 1}` : ''}`,
        task: 'verify',
        carrier: list === 'error' ? null : list.replaceAll('_', '-'),
        script: vector.type ?? null,
        address: vector.address,
        message: vector.message,
        signature,
        coins: officialCoins(vector, signature),
        status: list === 'error' ? 'invalid' : vector.lock_time || vector.sequence ? 'valid-with-locks' : 'valid',
        reason: null,
        because: vector.description ?? 'A vector of the standard.',
        source: `bitcoin/bips, bip-0322, ${basename(path)}`,
      })),
    ),
  );
  if (cases.length === 0) throw new UsageError(`${path} has no vectors of BIP-322.`);
  return cases;
}

/** The coins that a vector states; their outpoints are those of the signed file. */
function officialCoins({ additional_inputs: stated }, signature) {
  if (!stated) return [];
  const { inputs } = readPsbt(signature, 'mainnet');
  return stated.flat().map(({ value, pk_script: scriptPubKey }, index) => ({ txid: inputs[index + 1].txid, vout: inputs[index + 1].vout, valueSats: value, scriptPubKey }));
}

function parsedFile(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${error.message}`, { cause: error });
  }
}

/** Prints what is wrong, and how many answers are right. */
async function checkAnswers(folder) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`${folder} is no folder. psbt-wasm vectors ${folder} makes it.`);
  const { cases } = parsedFile(join(folder, 'cases.json'));
  const answers = parsedFile(join(folder, 'answers.json'));
  const unknown = Object.keys(answers).find((id) => !cases.some((one) => one.id === id));
  if (unknown !== undefined) throw new UsageError(`answers.json has ${JSON.stringify(unknown)}, which is the id of no case.`);
  const counts = { right: 0, wrong: 0, unanswered: 0 };
  for (const one of cases) {
    const answer = answerIn(folder, one, answers[one.id]);
    const fault = answer === null ? null : await faultOf(one, answer);
    counts[answer === null ? 'unanswered' : fault === null ? 'right' : 'wrong'] += 1;
    if (fault !== null) console.log(`${one.id}: ${fault}`);
  }
  console.log(`${counts.right} right, ${counts.wrong} wrong, ${counts.unanswered} without an answer`);
  process.exitCode = counts.wrong > 0 ? 1 : 0;
}

/** What is in answers.json, or in the signed file; null when there is neither. */
function answerIn(folder, { id, psbt }, answer) {
  if (answer !== undefined && answer !== '') return answer;
  const signed = join(folder, `${id}-signed.psbt`);
  if (!psbt || !existsSync(signed)) return null;
  const bytes = readFileSync(signed);
  return bytes.subarray(0, 4).toString('latin1') === 'psbt' ? bytes.toString('base64') : bytes.toString('utf8');
}

/** What is wrong with an answer; null when it is right. */
async function faultOf(one, answer) {
  if (one.task === 'verify') return verdictFault(one, answer);
  if (one.task === 'refuse') return answer === 'refused' ? null : `must be refused. ${one.because}`;
  if (typeof answer !== 'string') return 'the answer must be a signature.';
  const coins = one.coins.map((coin) => ({ ...coin, valueSats: BigInt(coin.valueSats) }));
  const { status, reason, format, message } = await verifyMessage(one.address, one.message, answer, { coins });
  // What finalizes a PSBT is often another program than the one that signs it.
  const isSigned = status.startsWith('valid') || (one.psbt && reason === 'not-finalized');
  if (!isSigned) return message;
  if (format === 'bip137' && one.script !== 'p2pkh') return 'BIP-137 signatures are for P2PKH addresses only (BIP-322, Legacy).';
  return coins.length > 0 ? missingCoin(coins, answer) : null;
}

function verdictFault({ status, because }, answer) {
  const isRight = typeof answer === 'boolean' ? answer === status.startsWith('valid') : answer === status;
  return isRight ? null : `is ${status}, not ${JSON.stringify(answer)}. ${because}`;
}

/** Names the first coin that is not signed for. */
function missingCoin(coins, answer) {
  try {
    const { inputs } = readPsbt(answer, 'mainnet');
    const coin = coins.find(({ txid, vout }) => !inputs.some((input) => input.txid === txid && input.vout === vout));
    return coin ? `does not sign for the coin ${coin.txid}:${coin.vout}.` : null;
  } catch (error) {
    if (!(error instanceof PsbtError)) throw error;
    return error.message;
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof UsageError ? `psbt-wasm: ${error.message}\n\n${USAGE}` : error);
  process.exitCode = 2;
}
