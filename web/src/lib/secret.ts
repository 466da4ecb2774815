/** The shortest seed phrase has 12 words; `recognize` of the package accepts one misspelled word. */
const PHRASE_WORDS = 11;
/** Extended private keys (SLIP-0132), keys in Wallet Import Format, and encrypted ones (BIP-0038), also cut off. */
const KEY = /^([xyztuvYZUV]prv|6P[1-9A-HJ-NP-Za-km-z]{50,}$|[59KLc][1-9A-HJ-NP-Za-km-z]{50,51}$)/;

export const NEVER_PASTE = 'Never paste this anywhere. Nothing was kept or sent.';

/** Only the package's word list distinguishes a phrase from other words. */
export const UNCHECKED = 'This text couldn’t be checked for a seed phrase, so it was removed. Reload the page, or try another browser.';

export const wordsOf = (text: string) => text.trim().split(/\s+/);

/** Whether a text contains a private key, judged by its form. */
export const hasPrivateKey = (text: string) => text.split(/[^A-Za-z0-9]+/).some((word) => KEY.test(word));

/** Whether a text can be a seed phrase or a key. Fast, and without the word list: many sentences can be one, too. */
export function mayBeSecret(text: string): boolean {
  const words = text.split(/[^A-Za-z]+/).filter((word) => /^[a-z]{3,8}$/i.test(word));
  return words.length >= PHRASE_WORDS || hasPrivateKey(text);
}
