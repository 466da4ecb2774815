import { afterEach, expect, test } from 'vitest';
import { forgetFile, keepFile, keptFile } from './kept-file';

const BYTES = Uint8Array.from([0x70, 0x73, 0x62, 0x74, 0xff]);
const HOUR = 60 * 60 * 1000;
afterEach(forgetFile);

test('a file is kept for an hour', async () => {
  keepFile('a.psbt', BYTES, 1000);
  const kept = keptFile(1000 + HOUR - 1);
  expect(kept?.name).toBe('a.psbt');
  expect(kept?.size).toBe(5);
  expect(keptFile(1000 + HOUR)).toBeNull();
  expect(sessionStorage).toHaveLength(0);
});

test('it can be forgotten, and another one takes its place', () => {
  keepFile('a.psbt', BYTES);
  keepFile('b.psbt', BYTES);
  expect(keptFile()?.name).toBe('b.psbt');
  forgetFile();
  expect(keptFile()).toBeNull();
});

test('what is too large for a tab is not kept, nor what was kept before it', () => {
  keepFile('a.psbt', BYTES);
  keepFile('huge.psbt', new Uint8Array(3 * 1024 * 1024));
  expect(keptFile()).toBeNull();
});

test('what others have written there is no file', () => {
  sessionStorage.setItem('chosen-file', '{"name":');
  expect(keptFile()).toBeNull();
});
