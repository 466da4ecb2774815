/** What a signer prints of a statement, with the parts to compare. */
import type { Print } from './signers';

export interface Piece {
  text: string;
  /** Whether it is to be compared: the site, the name, or the reader's request. */
  marked: boolean;
}

const plain = (text: string): Piece => ({ text, marked: false });

/** A statement in its pieces. A board's names the site and the holder, one for a reader the request. */
export function piecesOf(statement: string): Piece[] {
  const words = statement.split(' ');
  const forReader = words[3]?.startsWith('for:');
  const texts = forReader ? [words.slice(3, -1).join(' ')] : [words[3] ?? '', words.slice(4, -1).join(' ')];
  const marked = texts.map((text): Piece => ({ text, marked: true })).flatMap((piece, at) => (at === 0 ? piece : [plain(' '), piece]));
  return [plain(`${words.slice(0, 3).join(' ')} `), ...marked, plain(` ${words.at(-1) ?? ''}`)];
}

const byte = (value: number) => value.toString(16).padStart(2, '0');

/** Text of ASCII as the hexadecimal digits of its letters. */
export const hexOf = (text: string): string => [...text].map((letter) => byte(letter.codePointAt(0) ?? 0)).join('');

const OP_RETURN = '6a';
/** The statement as an output's script: an OP_RETURN, its length, its letters. */
const SCRIPT = `${OP_RETURN}{push}{hex}`;

/** The line that a signer prints of a statement, and whether the statement can be read in it. */
export function printedLine({ line, most, beyond = '' }: Print, statement: string): { pieces: Piece[]; readable: boolean } {
  const { length } = statement;
  const filled = (text: string) => text.replace('{script}', SCRIPT).replace('{push}', byte(length)).replace('{length}', String(length)).replace('{size}', String(length + 2));
  if (most !== undefined && length > most) return { pieces: [plain(filled(beyond))], readable: false };
  const [, before = '', form = '', after = ''] = /^(.*)\{(text|tail|hex)\}(.*)$/.exec(filled(line)) ?? [];
  const pieces = piecesOf(statement).map(({ text, marked }, at) => ({ marked, text: form === 'hex' ? hexOf(text) : form === 'tail' && at === 0 ? text.slice(1) : text }));
  return { pieces: [plain(before), ...pieces, plain(after)].filter(({ text }) => text !== ''), readable: true };
}
