import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BbqrReader, bbqrFrames } from './bbqr';
import { CodeReader, framesOf } from './codes';

const fileOf = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 167 + (at >> 8)) & 0xff);
function allOf(psbt: Uint8Array, frameBytes?: number): string[] {
  const { count, frame } = bbqrFrames(psbt, frameBytes);
  return Array.from({ length: count }, (_, at) => frame(at));
}
async function read(texts: readonly string[]) {
  const reader = new BbqrReader();
  for (const text of texts) reader.receive(text);
  return reader.finish();
}

test('a frame is the header of the specification, and base32 as in RFC 4648 without filling', () => {
  expect(bbqrFrames(new TextEncoder().encode('foobar')).frame(0)).toBe('B$2P0100MZXW6YTBOI');
  const texts = allOf(fileOf(2000), 50);
  expect([texts.length, texts[0]?.slice(0, 8), texts[39]?.slice(0, 8)]).toEqual([40, 'B$2P1400', 'B$2P1413']);
  expect(new Set(texts.map(({ length }) => length))).toEqual(new Set([88]));
});

test.each([1, 525, 526, 5000, 800_000])('a file of %i bytes comes back, also backwards and with every code twice', async (length) => {
  const psbt = fileOf(length);
  const texts = allOf(psbt);
  expect(texts.length).toBeLessThanOrEqual(1295);
  const there = await read(texts);
  const back = await read([...texts, ...texts].toReversed());
  expect([there.ending, Buffer.compare(there.bytes, psbt), Buffer.compare(back.bytes, psbt)]).toEqual(['psbt', 0, 0]);
});

test('every encoding of the specification is read: hexadecimal, and compressed within a small window', async () => {
  expect(await read(['B$HP0201FF', 'B$HP020070736274'])).toEqual({ bytes: Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff), ending: 'psbt' });
  const file = fileOf(3000);
  const packed = allOf(deflateRawSync(file, { windowBits: 10 }), 100).map((text) => text.replace('B$2P', 'B$ZT'));
  expect(packed.length).toBeGreaterThan(1);
  expect(await read(packed)).toEqual({ bytes: file, ending: 'txn' });
});

test('a damaged code, one of another file and one of another kind are skipped, and reading continues', async () => {
  const psbt = fileOf(1500);
  const [first = '', ...rest] = allOf(psbt);
  const reader = new BbqrReader();
  expect(reader.receive(first)).toEqual({ read: 1, of: 3 });
  for (const text of ['B$', 'B$XP0300AAAA', 'B$2P0303AAAA', 'B$2P0300', 'B$2P0301A1', 'B$HP0101ABC']) {
    expect(() => reader.receive(text)).toThrow('A damaged code was skipped');
  }
  expect(() => reader.receive('B$2P0401AAAAAAAA')).toThrow('A code of another file');
  expect(() => reader.receive('B$2P0300AAAAAAAA')).toThrow('A code of another file');
  expect(() => reader.receive('B$2U0301AAAAAAAA')).toThrow('no PSBT and no transaction');
  for (const text of rest) reader.receive(text);
  expect((await reader.finish()).bytes).toEqual(psbt);
});

test('what cannot be unpacked is refused at the end', async () => {
  await expect(read(['B$ZP0100AAAAAAAA'])).rejects.toThrow('don’t fit together');
});

test('the first code decides the form; a code that is none is refused', async () => {
  for (const form of ['bbqr', 'ur'] as const) {
    const psbt = fileOf(700);
    const { count, frame } = framesOf(psbt, form);
    const reader = new CodeReader();
    expect(() => reader.receive('https://example.org')).toThrow('no PSBT and no transaction');
    reader.receive(frame(0));
    expect(() => reader.receive(framesOf(psbt, form === 'ur' ? 'bbqr' : 'ur').frame(0))).toThrow('A code of another file');
    for (let n = 1; n < count; n++) reader.receive(frame(n));
    expect((await reader.finish()).bytes).toEqual(psbt);
  }
});

test('a single code with a PSBT as text is read', async () => {
  const reader = new CodeReader();
  expect(reader.receive('cHNidP8BAAoAAAAA')).toEqual({ read: 1, of: 1 });
  expect(new TextDecoder().decode((await reader.finish()).bytes)).toBe('cHNidP8BAAoAAAAA');
});
