/** Most words that a name has. */
const MOST_WORDS = 6;
/** Extended private keys (SLIP-0132) and private keys in Wallet Import Format, as far as a short field holds them. */
const KEY = /^([xyztuvYZUV]prv|[5KL9c][1-9A-HJ-NP-Za-km-z]{50,51}$)/;

export const NEVER_PASTE = 'Never paste this anywhere. Nothing was kept or sent.';

/** Whether a short text has the shape of a seed phrase or a private key: enough not to send it, without a word list. */
export function looksSecret(text: string): boolean {
  const words = wordsOf(text);
  return words.filter((word) => /^[a-z]{3,8}$/i.test(word)).length > MOST_WORDS || words.some((word) => KEY.test(word));
}

export const wordsOf = (text: string) => text.trim().split(/\s+/);
