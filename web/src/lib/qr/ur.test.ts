import { createHash } from 'node:crypto';
import { sha256 } from '@noble/hashes/sha2.js';
import { expect, test } from 'vitest';
import { crc32, fromBytewords, toBytewords } from './bytewords';
import { degreeOf, partsOf, randomOf } from './fountain';
import { CodeError } from './sequence';
import { UrReader, urFrames } from './ur';
import { DEGREES, MIXES, PARTS, SINGLE } from '../../testing/qr-vectors';

const ascii = (text: string) => new TextEncoder().encode(text);
/** The message of the published vectors: drawn with the seed `Wolf`. */
function messageOf(length: number): Uint8Array<ArrayBuffer> {
  const random = randomOf(ascii('Wolf'));
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}
const frames = ({ frame }: { frame: (n: number) => string }, from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => frame(from + at));
async function read(texts: readonly string[]): Promise<Uint8Array> {
  const reader = new UrReader();
  for (const text of texts) reader.receive(text);
  return (await reader.finish()).bytes;
}

test('checksums, hashes and bytewords are those of the published vectors', () => {
  expect(crc32(ascii('Hello, world!'))).toBe(0xebe6c6e6);
  expect(crc32(ascii('Wolf'))).toBe(0x598c84dc);
  expect(toBytewords(Uint8Array.of(0, 1, 2, 128, 255))).toBe('aeadaolazmjendeoti');
  expect(fromBytewords('AEADAOLAZMJENDEOTI')).toEqual(Uint8Array.of(0, 1, 2, 128, 255));
  for (const length of [0, 1, 8, 55]) {
    const bytes = messageOf(length);
    expect(Buffer.from(sha256(bytes))).toEqual(createHash('sha256').update(bytes).digest());
  }
});

test.each(['aeadaolazojendeowf', 'aea', 'abmuammdwe', '₿', '', 'wolf'])('what are no bytewords is refused: %s', (text) => {
  expect(fromBytewords(text)).toBeNull();
});

test('the parts of a frame are drawn as in the published vectors', () => {
  const degrees = DEGREES.map((_, at) => degreeOf(randomOf(ascii(`Wolf-${at + 1}`)), 11));
  expect(degrees).toEqual(DEGREES);
  const checksum = crc32(messageOf(1024));
  const mixes = MIXES.map((_, at) => partsOf(at + 1, 11, checksum).toSorted((a, b) => a - b));
  expect(mixes).toEqual(MIXES);
});

test('frames are those of the published vectors, in capitals, which a QR code holds in less room', async () => {
  const message = messageOf(256);
  expect(frames(urFrames(message, 'bytes', 30), 0, 20)).toEqual(PARTS.map((part) => part.toUpperCase()));
  expect(await read(PARTS)).toEqual(message);
  expect(urFrames(messageOf(50), 'bytes').frame(0)).toBe(SINGLE.toUpperCase());
  expect(await read([SINGLE])).toEqual(messageOf(50));
});

test.each([1, 195, 200, 5000, 70_000])('a file of %i bytes comes back, also backwards and with every code twice', async (length) => {
  const psbt = messageOf(length);
  const source = urFrames(psbt);
  const all = frames(source, 0, source.count);
  expect(all[0]).toMatch(/^UR:CRYPTO-PSBT\//);
  expect(await read(all)).toEqual(psbt);
  expect(await read([...all, ...all].toReversed())).toEqual(psbt);
});

test('mixed frames make up for those that were missed', async () => {
  const psbt = messageOf(3000);
  const source = urFrames(psbt);
  const reader = new UrReader();
  let progress = { read: 0, of: source.count };
  // Every third code is missed, and the reading begins in the middle of the second round.
  for (let n = source.count + 3; progress.read < progress.of; n++) {
    expect(n).toBeLessThan(source.count * 10);
    if (n % 3 !== 0) progress = reader.receive(source.frame(n));
  }
  expect((await reader.finish()).bytes).toEqual(psbt);
});

test('a damaged code, one of another file and one of another kind are skipped, and reading continues', async () => {
  const psbt = messageOf(900);
  const [first = '', ...rest] = frames(urFrames(psbt), 0, 5);
  const reader = new UrReader();
  reader.receive(first);
  expect(() => reader.receive(first.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')))).toThrow('A damaged code was skipped');
  expect(() => reader.receive(first.replace('/1-5/', '/2-5/'))).toThrow('A damaged code was skipped');
  expect(() => reader.receive(urFrames(messageOf(901)).frame(0))).toThrow('A code of another file');
  expect(() => reader.receive(SINGLE)).toThrow('A code of another file');
  expect(() => reader.receive('ur:crypto-seed/oeadgdstaslplabghydrpfmkbggufgludprfgmaotpiecffltnlpqdenos')).toThrow('no PSBT and no transaction');
  for (const text of rest) reader.receive(text);
  expect((await reader.finish()).bytes).toEqual(psbt);
});

test('parts that say what cannot be are refused at once', () => {
  // A count of 4,294,967,295 parts, no byte string, and fewer bytes than stated.
  for (const hex of ['85011affffffff1affffffff004101', '8501010100f6', '850102190200004101']) {
    const part = toBytewords(Uint8Array.from(Buffer.from(hex, 'hex')));
    expect(() => new UrReader().receive(`ur:crypto-psbt/1-1/${part}`)).toThrow(CodeError);
  }
});

test('parts whose whole is not what was promised are refused at the end', async () => {
  const message = Uint8Array.of(0x41, 7);
  const wrong = Uint8Array.of(0x85, 1, 1, 2, 0, 0x42, ...message);
  const reader = new UrReader();
  expect(reader.receive(`ur:crypto-psbt/1-1/${toBytewords(wrong)}`)).toEqual({ read: 1, of: 1 });
  await expect(reader.finish()).rejects.toThrow('don’t fit together');
});
