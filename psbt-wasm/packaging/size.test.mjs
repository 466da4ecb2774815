// What a page downloads, as `npm run bench` measures it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { LIMITS, sizes, withBrotli } from '../bench/sizes.mjs';

test('a page downloads no more than it needs for the first file, nor for all else', async () => {
  const [reader, all] = Object.values(await sizes(['psbt-wasm', 'psbt-wasm, all of it']));
  assert.ok(reader.brotli <= LIMITS.reader, `${reader.brotli} bytes before the first file, with Brotli`);
  assert.ok(all.brotli <= LIMITS.all, `${all.brotli} bytes in all, with Brotli`);
});

test('a page that checks a log downloads little more than it needs for that', async () => {
  const log = await readFile(new URL(import.meta.resolve('psbt-wasm/psbt_wasm_log_bg.wasm')));
  assert.ok(withBrotli(log) <= LIMITS.log, `${withBrotli(log)} bytes for the checks of a log, with Brotli`);
});
