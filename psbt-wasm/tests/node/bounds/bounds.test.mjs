// No input of 32 MiB keeps a function busy for five seconds of the processor, or takes 600 MB. `npm run bounds` in psbt-wasm takes some minutes;
// BOUNDS_OF=NAME, of the inputs whose name has NAME in it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS, measure } from './measure.mjs';

test('every function with every input that asks for as much work as it can', { timeout: 3_600_000 }, async (context) => {
  await measure(({ input, call, outcome, ms, bytes }) =>
    context.test(`${input}: ${call}, ${outcome} after ${Math.round(ms)} ms, ${Math.round(bytes / 1e6)} MB`, () => {
      assert.ok(ms < LIMITS.ms && bytes < LIMITS.bytes);
    }),
  process.env.BOUNDS_OF);
});
