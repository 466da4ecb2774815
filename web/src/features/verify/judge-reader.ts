/** What is known of a proof for one reader. It is right only once the reader's own words were compared with those in it. */
import { testCoinsNote } from '../../lib/chains';
import { formatCount, formatSats, plural } from '../../lib/format';
import { coinsAtDate } from './at-date';
import CHECKS from './checks.json';
import { dateOf, evidenceOn, MALFORMED, passedIn, signedStep, type Known, type Step, type Verdict } from './judge';
import { coinsOf } from './proof';
import { inARow, theirs, told } from './told';

/** Blocks after its own block from which on a proof is old. */
export const OLD_AFTER_BLOCKS = 4_032;

/** Blocks above its own block that a proof needs, so that the block stays in the chain. */
const DEPTH = 6;

interface KnownByReader extends Known {
  /** The words that the reader gave, in their normal form; null until they were typed. */
  words: string | null;
}

/** What a visitor reads first. */
export function readerTitle(verdict: Verdict, words: string | null, subject: string): string {
  const { state } = verdict;
  if (words !== null && words !== subject) return 'This proof is not for you';
  if (state === 'false') return 'This proof is false';
  if (words === null) return 'Is this proof for you?';
  if (state === 'right') return 'This proof is for you, and it is right';
  return passedIn(verdict);
}

export function readerVerdict(known: KnownByReader): Verdict {
  const { check, proof, words } = known;
  if (!check) return MALFORMED;
  const steps = [wordsStep(known, check.statement !== null), ...evidenceOn(known, check, readerDateStep(known))];
  const wrong = steps.find(({ state }) => state === 'false');
  if (wrong) return { state: 'false', sentence: wrong.found, steps };
  const note = testCoinsNote(proof.network);
  const all = `${formatSats(check.amountSats)} BTC in ${plural(coinsOf(proof).length, 'coin')}${note ? ` (${note.replace(/\.$/, '')})` : ''}`;
  const open = steps.filter(({ state }) => state === 'open');
  if (words === null) return { state: 'open', sentence: told`It states ${all}. Paste the request you gave the holder: only it shows that the proof is for you.`, steps };
  if (open.length > 0) return { state: 'open', sentence: told`It states ${all}. ${inARow(open.map(({ found }) => found))}`, steps };
  const { asked } = known;
  if (asked?.at) return { state: 'right', sentence: told`Signed after ${dateOf(known) ?? ''}. ${coinsAtDate(asked.at, asked.host)}`, steps };
  return {
    state: 'right',
    sentence: told`Signed for ${all}, after ${dateOf(known) ?? ''}. The coins were unspent at block ${formatCount(asked?.height ?? 0)}, says ${asked?.host ?? ''}.`,
    steps,
  };
}

function wordsStep({ words, proof }: KnownByReader, mangled: boolean): Step {
  const step = CHECKS.words;
  const { subject } = proof.statement;
  if (mangled) return { ...step, state: 'false', found: told`The signed line doesn’t match the request, the name and the block in the file.` };
  if (words === null) return { ...step, state: 'open', found: told`The request hasn’t been compared yet.` };
  if (words === subject) return { ...step, state: 'right', found: told`The request is the same as yours.` };
  return { ...step, state: 'false', found: told`The request is different from yours. It was made for ${theirs(subject)}.` };
}

/** Without a date, and when it is old, a proof is not right: the keys may have changed hands since. */
function readerDateStep(known: Known): Step {
  const step = CHECKS.recent;
  const { asked, proof, check } = known;
  const { height } = proof.statement.block;
  if (asked?.at) return signedStep(known, asked, asked.at);
  if (height === 0) return { ...step, state: 'open', found: told`Not dated: it commits to the first block of the chain.` };
  if (!asked || asked.height === null) return { ...step, state: 'open', found: told`Its block hasn’t been looked up yet.` };
  const date = check && dateOf(known);
  if (!date) return { ...step, state: 'open', found: told`Not dated: ${asked.host} doesn’t have the block that it names.` };
  const blocks = asked.height - height;
  if (blocks > OLD_AFTER_BLOCKS) return { ...step, state: 'open', found: told`Old: signed after ${date}, which was ${formatCount(blocks)} blocks ago. Ask for a new one.` };
  if (blocks < DEPTH) return { ...step, state: 'open', found: told`Too new: its block has ${formatCount(blocks)} of ${formatCount(DEPTH)} blocks above it. Check again later.` };
  return { ...step, state: 'right', found: told`Signed after ${date}.` };
}

/** Where two texts differ first, letter by letter; null when they are the same. */
export function differenceOf(theirText: string, own: string): { theirs: string; own: string } | null {
  const [a, b] = [[...theirText], [...own]];
  const at = a.findIndex((letter, index) => letter !== b[index]);
  if (at === -1 && a.length === b.length) return null;
  const place = at === -1 ? a.length : at;
  return { theirs: letterName(a[place]), own: letterName(b[place]) };
}

function letterName(letter: string | undefined): string {
  if (letter === undefined) return 'nothing';
  const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `“${letter}” (U+${code})`;
}
