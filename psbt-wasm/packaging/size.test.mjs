// What a page downloads, as `npm run bench` measures it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS, sizes } from '../bench/sizes.mjs';

test('a page downloads no more than it needs for the first file, nor for signatures', async () => {
  const { 'psbt-wasm': first, 'psbt-wasm with signature checks': whole } = await sizes([
    'psbt-wasm',
    'psbt-wasm with signature checks',
  ]);
  assert.ok(first.brotli <= LIMITS.first, `${first.brotli} bytes before the first file, with Brotli`);
  assert.ok(whole.brotli <= LIMITS.whole, `${whole.brotli} bytes with signature checks, with Brotli`);
});
