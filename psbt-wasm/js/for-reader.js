// A proof for one reader: the words that name the reader, the statement, and the proof file.

import { frame } from './frames.js';
import { PsbtError, bytesOf, bytesOfHex, invalidOption, isHex, requireOptions } from './psbt.js';
import { networkOf } from './report.js';

/** Origin and provider of such a proof. No board has them. */
export const READER = 'reader';

const MAX_BYTES = 200;

/** Longer words are refused as they are: NFC can take hours for a long text. */
const MAX_UNITS = 10_000;

/**
 * What nobody sees, or what stands for something else: control, bidirectional, zero-width and other invisible characters, those without a
 * picture of their own (blank letters and notes, replacement characters, noncharacters), private use, halves of characters.
 */
const HIDDEN =
  /[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufffc\ufffd\u{13441}-\u{13446}\u{16fe4}\u{1d159}]|(?!\s)\p{Cc}/u;

/** Scripts with letters that look like those of another. */
const ALIKE = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Deseret'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);

/**
 * The words of a reader, or the name that a holder chooses, by one rule: NFC, each run of white space one space, none at the ends, at
 * most 200 bytes of UTF-8, no hidden characters.
 */
export function normalizeWords(given) {
  if (typeof given !== 'string') throw new TypeError('The words must be a string.');
  if (HIDDEN.test(given)) throw invalid('They contain a character that nobody can see. Type them again.');
  const tooLong = () => invalid(`They are too long: at most ${MAX_BYTES} bytes.`);
  if (given.length > MAX_UNITS) throw tooLong();
  const text = given.normalize('NFC').replace(/\s+/gu, ' ').trim();
  if (!text) throw invalid('They are empty.');
  if (new TextEncoder().encode(text).length > MAX_BYTES) throw tooLong();
  const mixed = text.split(' ').filter((word) => ALIKE.filter((script) => script.test(word)).length > 1);
  return { text, mixed };
}

/** Whether a statement with the origin of such proofs has all that they need: one name, and texts in their normal form. */
export function isForReader({ provider, subject, account_id: account, name }) {
  return provider === READER && account === name && [subject, name].every(isNormal);
}

function isNormal(text) {
  try {
    return normalizeWords(text).text === text;
  } catch {
    return false;
  }
}

const invalid = (why) => new PsbtError('invalid-words', `These words cannot be used. ${why}`);

/** Encodes network, words, name, nonce and the header of the block for src/wasm/tools/for_reader.rs. */
export function encodeRequest(request) {
  requireOptions(request, ['words', 'name', 'nonce', 'header', 'height', 'network']);
  const { words, name, nonce, header, height, network = 'mainnet' } = request;
  networkOf(network);
  if (!Number.isInteger(height) || height < 0) throw invalidOption('height must be a whole number.');
  const texts = [network, ...[words, name].map((text) => normalizeWords(text).text)];
  return frame([...texts, exactly(16, nonce, 'nonce'), exactly(80, header, 'header')]);
}

/** This many bytes, or hexadecimal digits of them. */
function exactly(length, given, name) {
  const bytes = isHex(given) ? bytesOfHex(given) : bytesOf(given);
  if (bytes.length !== length) throw invalidOption(`${name} must have ${length} bytes.`);
  return bytes;
}

const DIGITS = new TextEncoder().encode('0123456789abcdef');

/** A transaction may have megabytes: a text for each byte would take hundreds of megabytes. */
function hex(bytes) {
  const text = new Uint8Array(2 * bytes.length);
  bytes.forEach((byte, at) => {
    text[2 * at] = DIGITS[byte >> 4];
    text[2 * at + 1] = DIGITS[byte & 15];
  });
  return new TextDecoder().decode(text);
}

/** Whether the holder wants signatures in the file that no script needs. */
export function wantsEveryKey(options) {
  requireOptions(options, ['everyKey']);
  return options?.everyKey === true;
}

/**
 * The proof file: what boards publish, without the members that only a board can add. `coins` are its `binding` and `inputs`, `further` the
 * signatures that no script needs.
 */
export function proofFile({ words, name, nonce, header, height, network = 'mainnet' }, text, transaction, coins, further) {
  const [subject, account] = [words, name].map((given) => normalizeWords(given).text);
  return {
    network,
    binding: coins.binding,
    statement: {
      origin: READER,
      provider: READER,
      subject,
      account_id: account,
      name: account,
      nonce: hex(exactly(16, nonce, 'nonce')),
      block: { height, header: hex(exactly(80, header, 'header')) },
      text,
    },
    transaction: hex(transaction),
    inputs: coins.inputs,
    // A file without any does not have the member.
    ...(further.length > 0 && { further_signatures: further }),
  };
}
