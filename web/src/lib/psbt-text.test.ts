import { expect, test } from 'vitest';
import { binaryOf, fileOfText, psbtIn } from './psbt-text';

const BASE64 = 'cHNidP8BAHUCAAAAASaBcTce3/KF6Tet7qSze3gADAVmy7OtZGQXE8pCFxv2AAA=';

test.each([
  ['alone', BASE64],
  ['with space around it', ` \n${BASE64}\n`],
  ['in the answer of Bitcoin Core', `{\n  "psbt": "${BASE64}",\n  "complete": false\n}`],
  ['after words', `Here it is: ${BASE64} thanks`],
])('base64 %s', (_name, text) => expect(psbtIn(text)).toBe(BASE64));

test('base64 on several lines', () => {
  const lines = `${BASE64.slice(0, 40)}\n${BASE64.slice(40)}`;
  expect(psbtIn(`${lines}\n`)).toBe(lines);
});

test('hexadecimal text', () => expect(psbtIn('x 70736274FF0100 y')).toBe('70736274FF0100'));
test('anything else is taken as it stands', () => expect(psbtIn(' 0200 ')).toBe('0200'));

test('a text gets a name that tells where it is from', async () => {
  const file = fileOfText(` ${BASE64}`, 'pasted', new Date('2026-11-22T07:05:09Z'));
  expect(file.name).toBe('pasted-2026-11-22-0705.psbt');
  expect(await file.text()).toBe(BASE64);
});

test.each([
  ['binary', new Uint8Array([0x70, 0x73])],
  ['base64', 'cHM='],
  ['hex', '7073'],
] as const)('a file is taken as binary: %s', async (encoding, content) => {
  expect([...(await binaryOf(new Blob([content]), encoding))]).toEqual([0x70, 0x73]);
});
