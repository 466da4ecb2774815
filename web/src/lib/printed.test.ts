import { expect, test } from 'vitest';
import { printedLine } from './printed';
import { signerOf } from './signers';

const LONG = 'Proof of Reserves reserves.example @mira_k ycaorf2k7m3x5w8d4bqn';
const SHORT = 'Proof of Reserves board.example gh:al abcdefghijklmnopqrst';
const READER = 'Proof of Reserves for:acme-bank-loan-4711~qwertyui abcdefghijklmnopqrst';
const hex = (text: string) => Buffer.from(text, 'ascii').toString('hex');

/** What the signer prints, its marked parts in brackets. */
function printed(id: string, statement: string): string[] {
  return signerOf(id).transaction.prints.map((print) => printedLine(print, statement).pieces.map(({ text, marked }) => (marked ? `[${text}]` : text)).join(''));
}
const marked = (statement: string, form: (text: string) => string) =>
  statement
    .split(/(?<=Reserves )|(?= [^ ]+$)/)
    .map((part, at) => (at === 1 ? part.split(' ').map((word) => `[${form(word)}]`).join(form(' ')) : form(part)))
    .join('');

test.each([
  ['sparrow', (line: string) => marked(line, String)],
  ['seedsigner', (line: string) => marked(line, String).slice(1)],
  ['ledger', (line: string) => `OP_RETURN 0x${marked(line, hex)}`],
  ['electrum', (line: string) => `SCRIPT 6a${hex(String.fromCodePoint(line.length))}${marked(line, hex)}`],
  ['specter-desktop', (line: string) => `OP_RETURN 6a${hex(String.fromCodePoint(line.length))}${marked(line, hex)}`],
  ['specter-diy', (line: string) => `6a${hex(String.fromCodePoint(line.length))}${marked(line, hex)}`],
  ['keystone', (line: string) => `OP_RETURN OP_PUSHBYTES_${line.length} ${marked(line, hex)}`],
] as const)('%s prints the statement in its own form, with site and name marked', (id, expected) => {
  for (const line of [LONG, SHORT, READER]) expect(printed(id, line)).toEqual([expected(line)]);
});

test('a Trezor prints hexadecimal or text, by its model', () => {
  expect(printed('trezor', LONG)).toEqual([marked(LONG, hex), marked(LONG, String)]);
});

test.each([
  [57, 'OP_RETURN: 50726f6f66'],
  [58, 'OP_RETURN: 50726f6f66'],
  [59, 'OP_RETURN: <script length: 61 - cannot be displayed>'],
  [75, 'OP_RETURN: <script length: 77 - cannot be displayed>'],
])('of a line of %i letters a Jade prints %s', (length, start) => {
  const line = `Proof of Reserves board.example @ab ${'c'.repeat(length - 36)}`;
  expect(line).toHaveLength(length);
  const [print] = signerOf('jade').transaction.prints;
  const { pieces, readable } = printedLine(print!, line);
  expect(pieces.map(({ text }) => text).join('')).toMatch(new RegExp(`^${start}`));
  expect(readable).toBe(length <= 58);
});

test('BlueWallet prints nothing of it', () => expect(printed('bluewallet', LONG)).toEqual([]));
