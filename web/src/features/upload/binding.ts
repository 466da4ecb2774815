import type { ProofChallenge } from '../../api/types';
import type { PsbtReport } from '../../psbt';

/**
 * Whether a file says whose it is, as far as the file itself tells. It is a hint, so that a mistake is seen before
 * anything is sent; the server decides. Inputs and outputs count from 0.
 */
export type Binding =
  /** A still transaction, or a proof of funds, with this account's statement (proofs, section 2). */
  | { state: 'bound' }
  /** No problem is visible here; the server checks the rest. */
  | { state: 'unknown'; why: 'message' | 'values' | 'earlier-code' }
  /** It carries a statement for another account, or for another site. */
  | { state: 'foreign'; statement: string }
  /** It carries this account's statement, but could still be broadcast. */
  | { state: 'moving'; fault: Fault }
  /** A message whose first input the device that signed it has made final (embit's issue 146). */
  | { state: 'changed' }
  /** It says nothing of whose it is. */
  | { state: 'unbound' };

/** A problem because of which a transaction with a statement is no still transaction. */
export type Fault =
  | { of: 'lock-time'; found: number }
  | { of: 'sequences' }
  | { of: 'second-statement' }
  /** It contains the statement, but not as the only push of an OP_RETURN. */
  | { of: 'form'; output: number }
  | { of: 'value'; output: number }
  | { of: 'stranger'; output: number }
  /** A script that gets back more or less than its inputs had. */
  | { of: 'amount'; script: string; address: string | null; had: bigint; gets: bigint };

export type Statement = Pick<ProofChallenge, 'statement' | 'output_script' | 'lock_time'>;
type File = Pick<PsbtReport, 'inputs' | 'outputs' | 'lockTime' | 'message'>;

/** Whatever says this speaks of a proof, be it another's or mangled; the server never takes it as saying nothing. */
const SPEAKS = /roof of Reserves/i;
/** The longest direct push of a script. */
const MOST_BYTES = 75;
const FINAL_SEQUENCE = 0xffff_ffff;
/** The lock time of a still transaction (proofs, section 2). */
export const STILL_LOCK_TIME = 452_038_930;

/** Judges a file by proofs, section 2. */
export function bindingOf(file: File, account: Statement): Binding {
  const { outputs } = file;
  if (isMessage(file)) return messageBinding(file, account);
  const texts = outputs.flatMap(({ scriptPubKey }) => statementIn(scriptPubKey) ?? []);
  const mangled = outputs.findIndex(({ scriptPubKey }) => statementIn(scriptPubKey) === null && SPEAKS.test(textOf(scriptPubKey)));
  if (mangled !== -1) return mangledBinding(outputs[mangled]?.scriptPubKey ?? '', mangled, account);
  const [text] = texts;
  if (text === undefined) return { state: 'unbound' };
  const foreign = texts.find((found) => !isForSamePerson(found, account));
  if (foreign !== undefined) return { state: 'foreign', statement: foreign };
  const fault = faultIn(file, account.lock_time);
  if (fault) return { state: 'moving', fault };
  if (text !== account.statement) return { state: 'unknown', why: 'earlier-code' };
  return file.inputs.every(isKnown) ? { state: 'bound' } : { state: 'unknown', why: 'values' };
}

/** A statement in an output of the wrong form. */
function mangledBinding(script: string, output: number, { statement }: Statement): Binding {
  const text = textOf(script);
  if (text.includes(statement)) return { state: 'moving', fault: { of: 'form', output } };
  return { state: 'foreign', statement: text.slice(Math.max(text.search(SPEAKS) - 1, 0)) };
}

/** BIP-0322: the only output of a proof of funds has no value and says nothing. */
export function isMessage({ outputs }: Pick<PsbtReport, 'outputs'>): boolean {
  return outputs.every(({ valueSats, scriptPubKey }) => valueSats === 0n && scriptPubKey === '6a');
}

function messageBinding({ message, inputs }: Pick<File, 'message' | 'inputs'>, account: Statement): Binding {
  if (message === null) return { state: 'unknown', why: 'message' };
  // BIP-0322 asks for 0, or a relative lock of the script; no file is made with the final one.
  if (inputs[0]?.sequence === FINAL_SEQUENCE && isForSamePerson(message, account)) return { state: 'changed' };
  if (message === account.statement) return { state: 'bound' };
  return isForSamePerson(message, account) ? { state: 'unknown', why: 'earlier-code' } : { state: 'foreign', statement: message };
}

/** Whether a statement differs from the account's only in its code. */
function isForSamePerson(text: string, { statement }: Statement): boolean {
  return withoutCode(text) === withoutCode(statement);
}

/** A code has 20 or 22 letters (proofs, section 1). */
const withoutCode = (statement: string) => statement.replace(/ \S{20}(?:\S{2})?$/, '');

/** The statement in an output, of any account; null without one. */
export function statementIn(script: string): string | null {
  const push = Number.parseInt(script.slice(2, 4), 16);
  if (!script.startsWith('6a') || push > MOST_BYTES || script.length !== 4 + push * 2) return null;
  const text = textOf(script.slice(4));
  return SPEAKS.test(text) ? text : null;
}

type Input = File['inputs'][number];
const isKnown = ({ valueSats, scriptPubKey }: Input) => valueSats !== null && scriptPubKey !== null;

/** Why the transaction could be broadcast or moves something; null when it is still. */
function faultIn({ inputs, outputs, lockTime }: File, expected: number): Fault | null {
  if (lockTime !== expected) return { of: 'lock-time', found: lockTime };
  // BIP-0065: a lock time that no input's sequence heeds locks nothing.
  if (inputs.every(({ sequence }) => sequence === FINAL_SEQUENCE)) return { of: 'sequences' };
  const data = outputs.flatMap(({ scriptPubKey }, output) => (scriptPubKey.startsWith('6a') ? [output] : []));
  if (data.length > 1) return { of: 'second-statement' };
  const valued = data.find((output) => outputs[output]?.valueSats !== 0n);
  if (valued !== undefined) return { of: 'value', output: valued };
  return inputs.every(isKnown) ? movement(inputs, outputs) : null;
}

/** Where value moves. It moves unless each script gets back exactly what its inputs had. */
function movement(inputs: File['inputs'], outputs: File['outputs']): Fault | null {
  const had = new Map<string, bigint>();
  for (const { scriptPubKey, valueSats } of inputs) add(had, scriptPubKey ?? '', valueSats ?? 0n);
  const stranger = outputs.findIndex(({ scriptPubKey }) => !scriptPubKey.startsWith('6a') && !had.has(scriptPubKey));
  if (stranger !== -1) return { of: 'stranger', output: stranger };
  const gets = new Map<string, bigint>();
  for (const { scriptPubKey, valueSats } of outputs) add(gets, scriptPubKey, valueSats);
  for (const [script, before] of had) {
    const after = gets.get(script) ?? 0n;
    const address = inputs.find(({ scriptPubKey }) => scriptPubKey === script)?.address ?? null;
    if (after !== before) return { of: 'amount', script, address, had: before, gets: after };
  }
  return null;
}

function add(sums: Map<string, bigint>, script: string, sats: bigint): void {
  sums.set(script, (sums.get(script) ?? 0n) + sats);
}

function textOf(hex: string): string {
  return (hex.match(/../g) ?? []).map((byte) => String.fromCodePoint(Number.parseInt(byte, 16))).join('');
}
