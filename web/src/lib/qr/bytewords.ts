/** Bytewords in their minimal style, with the checksum at their end (BCR-2020-012). */

/** The first and the last letter of each of the 256 words, in the order of their bytes (BCR-2020-012, "Word List"). */
const LETTERS =
  'aeadaoaxaaahamatayasbkbdbnbtbabsbebybgbwbbbzcmchcscfcycwcecackctcxclcpcndkdadsdidedtdrdndwdpdmdl' +
  'dyeheyeoeeecenemetesftfrfnfsfmfhfzfpfwfxfyfefgflfdgagegrgsgtglgwgdgygmgughgohfhghdhkhthphhhlhyhe' +
  'hnhsidiaieihiyioisinimjejzjnjtjljojsjpjkjykpkoktkskkknkgkekikblblalylflslrlplnltloldlelulklgmnmy' +
  'mhmemomumwmdmtmsmknlnyndnsntnnnenboyoeotoxonolospdptpkpypspmplpepfpaprqdqzrerprlrorhrdrkrfryrnrs' +
  'rtsesasrssskswstspsosgsbsfsntotktitttdtetytltbtstptatnuyuoutueurvtvyvovlvevwvavdvswlwdwmwpwewyws' +
  'wtwnwzwfwkykynylyaytzszoztzczezm';

const PAIRS = LETTERS.match(/../g) ?? [];
const BYTES = new Map(PAIRS.map((pair, byte) => [pair, byte]));
const CHECKSUM_BYTES = 4;

/** Bytes as letters. */
export function toBytewords(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += PAIRS[byte];
  for (const byte of numberBytes(crc32(bytes))) text += PAIRS[byte];
  return text;
}

/** Letters as bytes; null when they are not bytewords, or their checksum is wrong. */
export function fromBytewords(text: string): Uint8Array<ArrayBuffer> | null {
  const pairs = text.toLowerCase().match(/..?/g) ?? [];
  const bytes = pairs.map((pair) => BYTES.get(pair));
  if (bytes.length <= CHECKSUM_BYTES || bytes.includes(undefined)) return null;
  const all = Uint8Array.from(bytes as number[]);
  const payload = all.slice(0, -CHECKSUM_BYTES);
  const checksum = numberBytes(crc32(payload));
  return all.slice(-CHECKSUM_BYTES).every((byte, at) => byte === checksum[at]) ? payload : null;
}

/** A number of 32 bits, the most significant byte first. */
export function numberBytes(number: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
}

const POLYNOMIAL = 0xedb88320;
const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** The checksum of URs (BCR-2020-005): CRC-32 as in ISO 3309. */
export function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = (rest >>> 8) ^ (REMAINDERS[(rest ^ byte) & 0xff] ?? 0);
  return ~rest >>> 0;
}
