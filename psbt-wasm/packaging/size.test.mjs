// What a page downloads, as `npm run bench` measures it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS, sizes } from '../bench/sizes.mjs';

test('a page downloads no more than it needs for the first file, nor for signatures or proofs', async () => {
  const [first, whole, all] = Object.values(
    await sizes(['psbt-wasm', 'psbt-wasm with signature checks', 'psbt-wasm with signature checks and proofs']),
  );
  assert.ok(first.brotli <= LIMITS.first, `${first.brotli} bytes before the first file, with Brotli`);
  assert.ok(whole.brotli <= LIMITS.whole, `${whole.brotli} bytes with signature checks, with Brotli`);
  const maker = all.brotli - whole.brotli;
  assert.ok(maker <= LIMITS.maker, `${maker} bytes for making proofs, with Brotli`);
});
