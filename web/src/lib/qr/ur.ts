/** Uniform resources of PSBTs, in one part or many (BCR-2020-005, BCR-2020-006). */
import { joined } from '../bytes';
import { crc32, fromBytewords, numberBytes, toBytewords } from './bytewords';
import { Fountain, mixed, partsOf } from './fountain';
import { damagedCode, damagedSequence, foreignCode, MOST_BYTES, otherSequence, type Frames, type Reader } from './sequence';

/** What devices call a PSBT: `psbt` since 2023, `crypto-psbt` before; a few say no more than `bytes`. */
const TYPES = new Set(['crypto-psbt', 'psbt', 'bytes']);
const SHOWN_TYPE = 'crypto-psbt';
/** Codes of this many bytes are read by the cameras of small devices. */
const FRAGMENT_BYTES = 200;
/** The most parts of one file; real files have fewer. */
const MOST_PARTS = 5000;

/** Major types of CBOR (RFC 8949, section 3.1). */
const UNSIGNED = 0;
const BYTE_STRING = 2;
const ARRAY = 4;

/** The frames of a PSBT. Those after the first round mix parts, so that one that was missed is made up for by any. */
export function urFrames(psbt: Uint8Array, type = SHOWN_TYPE, fragmentBytes = FRAGMENT_BYTES): Frames {
  const message = joined([head(BYTE_STRING, psbt.length), psbt]);
  const count = Math.ceil(message.length / fragmentBytes);
  if (count === 1) return { count, frame: () => `ur:${type}/${toBytewords(message)}`.toUpperCase() };
  const length = Math.ceil(message.length / count);
  const parts = Array.from({ length: count }, (_, at) => message.slice(at * length, (at + 1) * length));
  const checksum = crc32(message);
  const frame = (n: number) => {
    const sequence = n + 1;
    const fragment = mixed(partsOf(sequence, count, checksum).map((part) => parts[part] ?? new Uint8Array()), length);
    const numbers = [sequence, count, message.length, checksum].map((number) => head(UNSIGNED, number));
    const part = joined([head(ARRAY, 5), ...numbers, head(BYTE_STRING, length), fragment]);
    return `ur:${type}/${sequence}-${count}/${toBytewords(part)}`.toUpperCase();
  };
  return { count, frame };
}

interface Part {
  sequence: number;
  count: number;
  length: number;
  checksum: number;
  fragment: Uint8Array;
}

export const isUr = (text: string) => /^ur:/i.test(text);

/** Reads the frames of a UR. */
export class UrReader implements Reader {
  private first: (Part & { type: string }) | null = null;
  private fountain: Fountain | null = null;
  private whole: Uint8Array | null = null;
  private readonly seen = new Set<number>();

  receive(text: string) {
    const { type, numbers, body } = urOf(text);
    const bytes = fromBytewords(body);
    if (!bytes) throw damagedCode();
    if (numbers === null) {
      if (this.first) throw otherSequence();
      this.whole = bytes;
      return { read: 1, of: 1 };
    }
    const part = partOf(bytes);
    if (!part || numbers !== `${part.sequence}-${part.count}`) throw damagedCode();
    if (this.whole) throw otherSequence();
    const first = (this.first ??= { ...part, type });
    const same = first.type === type && first.count === part.count && first.length === part.length;
    if (!same || first.checksum !== part.checksum || first.fragment.length !== part.fragment.length) throw otherSequence();
    const fountain = (this.fountain ??= new Fountain(part.count, part.checksum));
    if (!this.seen.has(part.sequence)) fountain.receive(part.sequence, part.fragment);
    this.seen.add(part.sequence);
    return { read: fountain.known.size, of: part.count };
  }

  async finish() {
    const message = this.whole ?? this.message();
    const start = message && item(message, 0);
    if (start?.major !== BYTE_STRING || start.next + start.value !== message?.length) throw damagedSequence();
    return { bytes: message.slice(start.next), ending: 'psbt' as const };
  }

  /** The message whose parts were all read; its checksum says whether they belong together. */
  private message(): Uint8Array<ArrayBuffer> | null {
    if (!this.first || !this.fountain) return null;
    const { known } = this.fountain;
    const parts = Array.from({ length: this.first.count }, (_, at) => known.get(at) ?? new Uint8Array());
    const message = joined(parts).slice(0, this.first.length);
    return crc32(message) === this.first.checksum ? message : null;
  }
}

function urOf(text: string): { type: string; numbers: string | null; body: string } {
  const [type = '', ...rest] = text.toLowerCase().slice('ur:'.length).split('/');
  const [body] = rest.slice(-1);
  if (!TYPES.has(type)) throw foreignCode();
  if (body === undefined || rest.length > 2) throw damagedCode();
  return { type, numbers: rest.length === 2 ? (rest[0] ?? '') : null, body };
}

/** A part in CBOR: an array of four numbers and a byte string. Null when it is anything else, or larger than any file. */
function partOf(bytes: Uint8Array): Part | null {
  const array = item(bytes, 0);
  if (array?.major !== ARRAY || array.value !== 5) return null;
  const numbers: number[] = [];
  let at = array.next;
  for (let n = 0; n < 4; n++) {
    const number = item(bytes, at);
    if (number?.major !== UNSIGNED) return null;
    numbers.push(number.value);
    at = number.next;
  }
  const string = item(bytes, at);
  if (string?.major !== BYTE_STRING || string.next + string.value !== bytes.length) return null;
  const [sequence = 0, count = 0, length = 0, checksum = 0] = numbers;
  const fragment = bytes.slice(string.next);
  const whole = count * fragment.length;
  const fits = sequence > 0 && count > 0 && count <= MOST_PARTS && length <= MOST_BYTES && whole >= length && whole < length + fragment.length;
  return fits ? { sequence, count, length, checksum, fragment } : null;
}

/** The head of an item of CBOR (RFC 8949, section 3): its type, its number and the position after it. */
function item(bytes: Uint8Array, at: number): { major: number; value: number; next: number } | null {
  const first = bytes[at];
  if (first === undefined) return null;
  const short = first & 0x1f;
  const extra = short < 24 ? 0 : [1, 2, 4][short - 24];
  if (extra === undefined || at + 1 + extra > bytes.length) return null;
  const value = bytes.slice(at + 1, at + 1 + extra).reduce((number, byte) => number * 256 + byte, 0);
  return { major: first >> 5, value: extra === 0 ? short : value, next: at + 1 + extra };
}

/** A head in as few bytes as it can be (RFC 8949, section 4.2.1). */
function head(major: number, value: number): Uint8Array<ArrayBuffer> {
  const type = major << 5;
  if (value < 24) return Uint8Array.of(type | value);
  if (value < 0x100) return Uint8Array.of(type | 24, value);
  if (value < 0x10000) return Uint8Array.of(type | 25, value >> 8, value);
  return joined([Uint8Array.of(type | 26), numberBytes(value)]);
}
