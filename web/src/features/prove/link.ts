/** The link that a reader sends. The words are in its fragment, which no server sees. */

const NAME = 'for=';
/** No words are longer, however they are escaped. */
const MOST_LETTERS = 3_000;

/** The address of /prove with these words, as seen from the page that makes it, on any host and below any path. */
export function linkTo(ask: Pick<Location, 'origin' | 'pathname'>, words: string): string {
  const [, folder = '/prove', slash = ''] = /^(.*?)\/ask(\/)?(?:index\.html)?$/.exec(ask.pathname) ?? [];
  return `${ask.origin}${folder}${slash}#${NAME}${encodeURIComponent(words)}`;
}

/** The words in the fragment of an address, as they were written; null when there are none. */
export function wordsIn(hash: string): string | null {
  const escaped = hash.replace(/^#/, '');
  if (!escaped.startsWith(NAME) || escaped.length > MOST_LETTERS) return null;
  try {
    return decodeURIComponent(escaped.slice(NAME.length)) || null;
  } catch {
    return null;
  }
}

/** Letters and digits that nobody takes for one another. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const LETTERS = 10;

/** The part of a request that nobody could know before: 50 bits. */
export function randomPart(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LETTERS));
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
