import { UserFacingError } from '../errors';

/** What is said of a rule that the log, or a receipt of it, breaks. Rules by their codes in the module that checks them. */
const WORDS = {
  malformed: 'It does not have the form that a log has.',
  stranger: 'It is not signed with a key that you trust.',
  'false-signature': 'The signature with the key that you trust is false.',
  replaced: 'It is signed with a key that had already been replaced.',
  'other-board': 'This is the log of another board.',
  'other-log': 'This is not the log that you have seen before.',
  shorter: 'The log has fewer entries than it had when you last saw it.',
  rewritten: 'The log’s history differs from what you last saw: it has been rewritten.',
  missing: 'The log does not have what must be there.',
  'no-receipt': 'This is not a receipt of a board.',
  'entry-not-in-log': 'Its entry is not in the log of its checkpoint.',
  'row-not-in-entry': 'Its row is not in its entry.',
};

export type LogCode = keyof typeof WORDS;

export const isLogCode = (code: unknown): code is LogCode => typeof code === 'string' && Object.hasOwn(WORDS, code);

/** Why the log, or a receipt of it, is not believed. The sentence is for the reader. */
export class LogError extends UserFacingError {
  override readonly name = 'LogError';

  constructor(
    readonly code: LogCode,
    message = WORDS[code],
  ) {
    super(message);
  }
}
