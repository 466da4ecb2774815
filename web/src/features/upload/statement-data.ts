import type { ProofChallenge } from '../../api/types';

/** The statement, which is ASCII, as the data of an output in hexadecimal text: what wallets put an OP_RETURN and a length before. */
export function dataOf({ statement }: Pick<ProofChallenge, 'statement'>): string {
  return [...statement].map((letter) => (letter.codePointAt(0) ?? 0).toString(16).padStart(2, '0')).join('');
}
