import { expect, test } from 'vitest';
import { fromBase64, toBase64 } from './bytes';

test.each([0, 1, 2, 3, 0x8000 - 1, 0x8000, 0x8001, 200_000])('%d bytes survive base64', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 31) & 0xff);
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
  expect(fromBase64(toBase64(bytes))).toEqual(bytes);
});
