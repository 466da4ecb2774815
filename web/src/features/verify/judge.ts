/**
 * What is known of a proof, as a list of steps and one sentence. What was only checked in part is never said to be right, and who the
 * person is only the board can say.
 */
import { formatCount, formatDate, formatSats, plural } from '../../lib/format';
import { providerTitle } from '../../lib/names';
import type { Check, DateBounds, DateVerdict, ProofCheck } from '../../psbt';
import { coinsAtDate, signedAtDate } from './at-date';
import CHECKS from './checks.json';
import { signedKeys } from './conditions';
import { keyOf, type States } from './coins';
import { coinsOf, isPublished, shownName, signedName, type Evidence, type PublishedProof } from './proof';
import { inARow, theirs, told, type Told } from './told';

/** `open`: it has not been checked, or only in part, or holds only in part. */
export type StepState = 'right' | 'false' | 'open';

export interface Step {
  title: string;
  state: StepState;
  /** What was found. */
  found: Told;
  /** What it shows, and what it does not. */
  shows: string;
}

/** `nobody`: it is signed, but no board confirms who signed it. */
export type VerdictState = StepState | 'nobody';

export interface Verdict {
  state: VerdictState;
  sentence: Told;
  steps: Step[];
}

/** What a chain source has said so far. */
export interface Asked {
  /** The host of the source, as visitors see it. */
  host: string;
  states: States;
  /** Its newest block, once it has been asked about every coin. */
  height: number | null;
  /** The hash of its block at the height that dates the proof; null when it has none, or was not asked. */
  dating?: string | null;
  /** The host of another source that contradicts it; null when none does. */
  disagrees?: string | null;
  /** What stood at a date; null when only today was asked about. */
  at?: AtDate | null;
}

/** What stood at an instant. */
export interface AtDate {
  /** With its time zone. */
  text: string;
  /** Unix seconds. */
  seconds: number;
  bounds: DateBounds;
  verdict: DateVerdict;
}

export interface Known {
  proof: Evidence;
  /** What the board says about it, or why it says nothing. */
  board: PublishedProof | Told;
  /** The board that was asked. */
  origin: string;
  /** Null when the proof contradicts itself, so that nothing could be checked. */
  check: Check | null;
  asked: Asked | null;
  now: number;
}

type CarrierFault = NonNullable<ProofCheck['carrier']>;
const CARRIER_FAULTS: Record<CarrierFault, string> = {
  'other-coins': 'The coins that are listed are not those that the transaction spends.',
  'no-statement': 'The transaction does not contain the statement in the right form.',
  valueless: 'More than one of its outputs has no value.',
  'lock-time': 'Its lock time is too low, so a node might accept it.',
  sequences: 'Every input is final, so its lock time does not count and a node might accept it.',
  elsewhere: 'It pays to a script that it does not spend from, so it may be an ordinary payment.',
  sums: 'An address gets back more or less than it had, so it may be an ordinary payment.',
  'other-message': 'What was signed is another message.',
  'message-form': 'It is not in the form of a signed message (BIP-322).',
};

const WHY = told`The transaction is malformed, or its inputs don’t match the listed ones.`;
/** On a proof that contradicts itself. */
export const MALFORMED: Verdict = { state: 'false', sentence: WHY, steps: [{ title: 'The file', state: 'false', found: WHY, shows: 'Nothing can be checked.' }] };

/** How far the browser has come before a source was asked. */
export function passedIn({ steps }: Verdict): string {
  const passed = steps.filter(({ state }) => state === 'right').length;
  return `${passed} of ${plural(steps.length, 'check')} passed in your browser`;
}

export function verdictOn(known: Known): Verdict {
  const { check } = known;
  if (!check) return MALFORMED;
  const { board } = known;
  const evidence = evidenceOn(known, check, ...dateStep(known, check));
  const steps = isPublished(board)
    ? [statementStep(board, known.origin, check), nameStep(board, check), ...evidence, boardStep(board, known), ...noteStep(check)]
    : [fileStep(board, check), ...evidence];
  const wrong = steps.find(({ state }) => state === 'false');
  if (wrong) return { state: 'false', sentence: wrong.found, steps };
  const all = `${formatSats(check.amountSats)} BTC in ${plural(coinsOf(known.proof).length, 'coin')}`;
  const open = steps.filter(({ state }) => state === 'open');
  if (isPublished(board)) return { state: open.length > 0 ? 'open' : 'right', sentence: sentenceOn(known, all, open), steps };
  const isSigned = evidence.slice(0, 2).every(({ state }) => state === 'right');
  if (check.note.is === 'valid') return { state: 'open', sentence: told`It was signed over ${all}. ${board} The board said that ${theirs(check.note.name)} signed it.`, steps };
  if (!isSigned) return { state: 'open', sentence: told`Some checks of ${all} are open: ${inARow(open.map(({ found }) => found))}`, steps };
  return { state: 'nobody', sentence: told`It was signed over ${all}. ${board}`, steps };
}

/** The checks of the file itself and of the chain, without the person. */
export function evidenceOn(known: Known, check: NonNullable<Known['check']>, ...date: Step[]): Step[] {
  const coins = known.asked?.at ? dateCoinStep(known, known.asked, known.asked.at) : coinStep(known);
  return [carrierStep(known, check), signatureStep(known, check), ...date, disagreementOver(coins, known.asked)];
}

function sentenceOn(known: Known, all: string, open: Step[]): Told {
  const name = theirs(signedName(known.proof));
  if (open.length === 0) {
    const date = dateOf(known);
    const { asked } = known;
    if (asked?.at) return told`All checks passed: ${name} signed${date ? ` after ${date}` : ''}. ${coinsAtDate(asked.at, asked.host)}`;
    return told`All checks passed: ${name} signed for ${all}${date ? `, after ${date}` : ''}. The coins were unspent at block ${formatCount(asked?.height ?? 0)}, says ${asked?.host ?? ''}.`;
  }
  const waits = !known.asked && open.every(({ title }) => title === CHECKS.date.title || title === CHECKS.coins.title);
  if (waits) return told`No problem found so far. Check the coins to finish.`;
  return told`The proof of ${name} over ${all} is not complete. ${inARow(open.map(({ found }) => found))}`;
}

/** The result for a file that no board confirms. */
export const NOBODY = 'Somebody signed this line. Nobody says that this person did.';

/** Anyone can sign their own coins for any name, and write a file in which the code fits. */
function fileStep(why: Told, { statement, note }: Pick<ProofCheck, 'statement' | 'note'>): Step {
  const step = CHECKS.file;
  if (statement !== null) return { ...step, state: 'false', found: told`The code in the statement doesn’t match the file.` };
  if (note.is === 'false') return { ...step, state: 'false', found: told`The note in the file is not the board’s note on this proof: one of them was changed.` };
  if (note.is === 'other-key') return { ...step, state: 'open', found: told`The note in the file is by a key that the board doesn’t have now. The board has changed its key since: fetch the file again.` };
  if (note.is === 'valid') return { ...step, state: 'right', found: told`The file has the board’s signed note: the account is the one of ${theirs(note.name)}.` };
  return { ...step, state: 'open', found: told`Nobody says that this person did. ${why}` };
}

/** The board's signed note. Without it a copy of the file says nothing about the person elsewhere. */
function noteStep({ note }: Pick<ProofCheck, 'note'>): Step[] {
  const step = CHECKS.note;
  if (note.is === 'valid') return [{ ...step, state: 'right', found: told`The board’s signed note is valid.` }];
  if (note.is === 'other-key') return [{ ...step, state: 'open', found: told`The board’s note is by a key that the board doesn’t have now. Reload the page.` }];
  return note.is === 'false' ? [{ ...step, state: 'false', found: told`The board’s note on this proof is not valid, or says something else.` }] : [];
}

function statementStep(proof: PublishedProof, origin: string, { statement }: Pick<ProofCheck, 'statement'>): Step {
  const { provider, subject } = proof.statement;
  const agrees = proof.profile.id === proof.statement.account_id && proof.profile.provider === provider;
  const step = CHECKS.statement;
  if (statement === 'other-board') {
    return { ...step, state: 'false', found: told`It was made for ${theirs(proof.statement.origin)}, not for ${origin}, so it counts for nothing here.` };
  }
  if (statement !== null) return { ...step, state: 'false', found: told`The code in the statement doesn’t belong to the named person.` };
  if (!agrees) return { ...step, state: 'false', found: told`It is shown under a different account than it was made for.` };
  return { ...step, state: 'right', found: told`${theirs(providerTitle(provider))} id ${theirs(subject)}` };
}

function nameStep(proof: PublishedProof, { isNamed }: Pick<Check, 'isNamed'>): Step {
  const step = CHECKS.name;
  const [signed, shown] = [theirs(signedName(proof)), theirs(shownName(proof))];
  if (isNamed) return { ...step, state: 'right', found: told`Signed as ${signed}` };
  return {
    ...step,
    state: 'open',
    found: told`It was signed as ${signed}, and the board shows it as ${shown}: the person was renamed, or the name now belongs to someone else. Compare the permanent id.`,
  };
}

function carrierStep({ proof }: Known, { carrier }: Pick<ProofCheck, 'carrier'>): Step {
  const step = CHECKS[proof.binding];
  if (carrier) return { ...step, state: 'false', found: [CARRIER_FAULTS[carrier]] };
  return { ...step, state: 'right', found: proof.binding === 'message' ? told`The message is the statement.` : told`No fee, locked for about 8,000 years.` };
}

type FurtherFault = NonNullable<ProofCheck['further']>;
const FURTHER_FAULTS: Record<FurtherFault, string> = {
  'no-input': 'A further signature is for a coin that is not in the file.',
  'no-multisig': 'A further signature is for a coin whose script doesn’t list several keys.',
  'other-key': 'A further signature is by a key that is not in the coin’s script.',
  twice: 'A key signed twice for the same coin.',
  sighash: 'A further signature doesn’t cover the whole transaction.',
  'wrong-signature': 'A further signature is not valid for its coin and key.',
};

function signatureStep({ board, origin }: Known, { inputs, further, conditions }: Pick<ProofCheck, 'inputs' | 'further' | 'conditions'>): Step {
  const step = CHECKS.signatures;
  if (further) return { ...step, state: 'false', found: [FURTHER_FAULTS[further]] };
  const wrong = inputs.findIndex(({ status, signatures }) => !['valid', 'inconclusive'].includes(status) || signatures.some((one) => !one.commitsToAll));
  if (wrong !== -1) {
    const { message } = inputs[wrong] ?? {};
    return { ...step, state: 'false', found: told`Input ${formatCount(wrong + 1)}: ${message ?? 'its signature doesn’t cover the whole transaction.'}` };
  }
  const unusual = inputs.filter(({ status }) => status === 'inconclusive').length;
  if (unusual > 0) {
    return {
      ...step,
      state: 'open',
      found: told`The scripts of ${plural(unusual, 'input')} can’t be checked by this page${isPublished(board) ? `; run ${auditCommand(origin)}` : '.'}`,
    };
  }
  const valid = inputs.length === 1 ? 'The signature of the only input is valid.' : `The signatures of all ${formatCount(inputs.length)} inputs are valid.`;
  const keys = signedKeys(conditions);
  return { ...step, state: 'right', found: [keys ? `${valid} ${keys}` : valid] };
}

export const auditCommand = (origin: string) => `reserves-audit ${origin} --chain bitcoind:http://user:password@127.0.0.1:8332`;

type Coins = Evidence['inputs'];

/** The coins of a proof of which a source says one of these. */
const withState = (proof: Evidence, asked: Asked, ...states: string[]) => coinsOf(proof).filter((coin) => states.includes(asked.states.get(keyOf(coin)) ?? ''));

const ofAll = (found: Coins, proof: Evidence) => `${plural(found.length, 'coin')} of ${formatCount(coinsOf(proof).length)}`;

/** What keeps the source's word on the coins from being a whole answer; null when it is one. */
function incomplete(proof: Evidence, asked: Asked): Pick<Step, 'state' | 'found'> | null {
  const [missing, differing] = [withState(proof, asked, 'missing'), withState(proof, asked, 'differs')];
  if (missing.length > 0) return { state: 'false', found: told`${asked.host} does not know ${ofAll(missing, proof)}.` };
  if (differing.length > 0) return { state: 'false', found: told`${ofAll(differing, proof)}: value or script differs from ${asked.host}.` };
  const known = coinsOf(proof).filter((coin) => asked.states.has(keyOf(coin)));
  if (known.length < coinsOf(proof).length || asked.height === null) return { state: 'open', found: told`${asked.host} was asked about ${ofAll(known, proof)} so far.` };
  return null;
}

/** Two sources that contradict each other show nothing. */
function disagreementOver(step: Step, asked: Asked | null): Step {
  if (step.state === 'false' || !asked?.disagrees) return step;
  return { ...step, state: 'open', found: told`${asked.host} and ${asked.disagrees} contradict each other about these coins or their blocks. Ask your own node.` };
}

function dateCoinStep({ proof }: Known, asked: Asked, at: AtDate): Step {
  const step = CHECKS.stood;
  const part = incomplete(proof, asked);
  if (part) return { ...step, ...part };
  const { status, reason } = at.verdict;
  // What is open about the signature belongs to its own step.
  const isOpen = status === 'unchecked' && !['not-dated', 'too-new', 'old'].includes(reason ?? '');
  return { ...step, state: isOpen ? 'open' : status === 'false' ? 'false' : 'right', found: coinsAtDate(at, asked.host) };
}

function coinStep({ proof, asked }: Known): Step {
  const step = CHECKS.coins;
  const coins = coinsOf(proof);
  if (!asked) return { ...step, state: 'open', found: told`The coins are stated, not looked up.` };
  const are = (...states: string[]) => withState(proof, asked, ...states);
  const of = (found: Coins) => ofAll(found, proof);
  const part = incomplete(proof, asked);
  if (part) return { ...step, ...part };
  const [spent, unconfirmed, leaving, locked] = [are('spent'), are('unconfirmed'), are('leaving'), are('locked')];
  if (spent.length > 0) {
    return { ...step, state: 'open', found: told`${of(spent)} have been spent since; ${formatSats(sumOf(are('unspent', 'leaving', 'locked')))} BTC are unspent.` };
  }
  if (unconfirmed.length > 0) return { ...step, state: 'open', found: told`${of(unconfirmed)} are not confirmed yet.` };
  if (locked.length > 0) return { ...step, state: 'open', found: told`${of(locked)} are still locked by age: they cannot be spent yet.` };
  const waits = leaving.length > 0 ? ` An unconfirmed transaction spends ${plural(leaving.length, 'coin')}.` : '';
  return { ...step, state: 'right', found: told`All ${formatCount(coins.length)}, at block ${formatCount(asked.height ?? 0)}.${waits}` };
}

/** The block that dates a proof, with its day; null when nothing dates it in the chain that was asked. */
export function dateOf({ check, asked }: Pick<Known, 'check' | 'asked'>): string | null {
  const block = check?.block;
  if (!block || block.height === 0 || asked?.dating !== block.hash) return null;
  return `block ${formatCount(block.height)} (${formatDate(new Date(block.time * 1000).toISOString())})`;
}

/** When a proof was signed, as seen from the date that was asked about. */
export function signedStep(known: Known, asked: Asked, at: AtDate): Step {
  const { state, found } = signedAtDate(at, dateOf(known), asked.host);
  return { ...CHECKS.date, state, found };
}

/** Of a proof whose code commits to block 0 there is nothing to check. */
function dateStep(known: Known, { block }: Pick<ProofCheck, 'block'>): Step[] {
  if (known.asked?.at) return [signedStep(known, known.asked, known.asked.at)];
  if (block.height === 0) return [];
  const step = CHECKS.date;
  const { asked } = known;
  if (!asked || asked.height === null) return [{ ...step, state: 'open', found: told`The block that dates it hasn’t been looked up yet.` }];
  const date = dateOf(known);
  // A reorganization may have taken it away: that makes no proof false.
  if (!date) return [{ ...step, state: 'right', found: told`Not dated: ${asked.host} doesn’t have the block that it names.` }];
  return [{ ...step, state: 'right', found: told`Signed after ${date}.` }];
}

function boardStep(proof: PublishedProof, { asked, now }: Known): Step {
  const step = CHECKS.board;
  const coins = coinsOf(proof);
  const counted = coins.filter(({ counts }) => counts);
  const says = `The board counts ${formatSats(sumOf(counted))} BTC of it`;
  const gone = counted.filter((coin) => asked?.states.get(keyOf(coin)) === 'spent');
  if (gone.length > 0) return { ...step, state: 'open', found: told`${says}, though ${formatSats(sumOf(gone))} BTC of that are spent. A block may just have arrived: check again in a few minutes.` };
  if (Date.parse(proof.expires_at) <= now) return { ...step, state: 'open', found: told`It expired on ${formatDate(proof.expires_at)}.` };
  return { ...step, state: 'right', found: told`${formatSats(sumOf(counted))} BTC, until ${formatDate(proof.expires_at)}.` };
}

function sumOf(coins: { value_sats: number }[]): bigint {
  return coins.reduce((sum, { value_sats: sats }) => sum + BigInt(sats), 0n);
}
