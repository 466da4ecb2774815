// What a page downloads, as `npm run bench` measures it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS, sizes } from '../bench/sizes.mjs';

test('a page downloads no more than it needs for the first file, nor for all else', async () => {
  const [reader, all] = Object.values(await sizes(['psbt-wasm', 'psbt-wasm, all of it']));
  assert.ok(reader.brotli <= LIMITS.reader, `${reader.brotli} bytes before the first file, with Brotli`);
  assert.ok(all.brotli <= LIMITS.all, `${all.brotli} bytes in all, with Brotli`);
});
