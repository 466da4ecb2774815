/** BBQr: a file in up to 1,295 QR codes, each with a header of eight characters (the BBQr specification, "Splitting the Data"). */
import { fromHex, joined } from '../bytes';
import { damagedCode, damagedSequence, foreignCode, MOST_BYTES, otherSequence, type Frames, type Reader } from './sequence';

const MAGIC = 'B$';
const HEADER = /^B\$([H2Z])([A-Z])([0-9A-Z]{2})([0-9A-Z]{2})/;
const HEADER_LENGTH = 8;
/** The largest number of two digits to the base of 36. */
const MOST_FRAMES = 1295;
/** Bytes that codes of version 16 hold, which screens and cameras manage. They grow when there would be too many codes. */
const FRAME_BYTES = 525;
/** Five bytes are eight characters: no frame but the last needs filling up (RFC 4648, section 6). */
const GROUP = 5;

/** The frames of a PSBT: as base32, not compressed, which every reader understands. */
export function bbqrFrames(psbt: Uint8Array, frameBytes = FRAME_BYTES): Frames {
  const fewest = Math.ceil(psbt.length / MOST_FRAMES / GROUP) * GROUP;
  const count = Math.ceil(psbt.length / Math.max(frameBytes, fewest));
  // Codes of the same size: a short last one would change its shape at every turn.
  const length = Math.ceil(psbt.length / count / GROUP) * GROUP;
  const total = Math.ceil(psbt.length / length);
  const frame = (n: number) => {
    const at = n % total;
    return `${MAGIC}2P${base36(total)}${base36(at)}${toBase32(psbt.subarray(at * length, (at + 1) * length))}`;
  };
  return { count: total, frame };
}

const base36 = (number: number) => number.toString(36).toUpperCase().padStart(2, '0');

export const isBbqr = (text: string) => text.startsWith(MAGIC);

/** Reads the frames of a BBQr sequence. */
export class BbqrReader implements Reader {
  private start: string | null = null;
  private readonly parts = new Map<number, string>();

  receive(text: string) {
    const [header, encoding, type, total = '', index = ''] = HEADER.exec(text) ?? [];
    if (header === undefined) throw damagedCode();
    if (type !== 'P' && type !== 'T') throw foreignCode();
    const of = Number.parseInt(total, 36);
    const at = Number.parseInt(index, 36);
    const body = text.slice(HEADER_LENGTH);
    if (at >= of || body === '' || !(encoding === 'H' ? /^([0-9A-F]{2})+$/ : /^[A-Z2-7]+$/).test(body)) throw damagedCode();
    const start = header.slice(0, -2);
    if ((this.start ??= start) !== start || (this.parts.get(at) ?? body) !== body) throw otherSequence();
    this.parts.set(at, body);
    return { read: this.parts.size, of };
  }

  async finish() {
    const [, encoding, type] = HEADER.exec(`${this.start}00`) ?? [];
    const texts = Array.from({ length: this.parts.size }, (_, at) => this.parts.get(at) ?? '');
    const bytes = joined(texts.map((text) => (encoding === 'H' ? (fromHex(text) ?? new Uint8Array()) : fromBase32(text))));
    const whole = encoding === 'Z' ? await inflated(bytes) : bytes;
    return { bytes: whole, ending: type === 'T' ? ('txn' as const) : ('psbt' as const) };
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function toBase32(bytes: Uint8Array): string {
  let [text, held, bits] = ['', 0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += DIGITS[(held >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + DIGITS[(held << (5 - bits)) & 31] : text;
}

function fromBase32(text: string): Uint8Array {
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const digit of text) {
    held = ((held << 5) | DIGITS.indexOf(digit)) & 0xfff;
    bits += 5;
    if (bits >= 8) bytes.push((held >> (bits -= 8)) & 0xff);
  }
  return Uint8Array.from(bytes);
}

/** What was compressed without a header (RFC 1951), as the codes of encoding `Z` are. */
async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value);
      length += next.value.length;
      if (length > MOST_BYTES) {
        await reader.cancel();
        throw damagedSequence();
      }
    }
  } catch {
    throw damagedSequence();
  }
  return joined(parts);
}
