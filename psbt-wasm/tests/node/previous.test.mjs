// The module hashes previous transactions four at a time, by its own code: every length is compared with Node's SHA-256.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { readPsbt } from 'psbt-wasm/sync';
import { bytes, compact, output, sized, times, u32 } from './hostile.mjs';

const sha256 = (data) => createHash('sha256').update(data).digest();
const field = (key, value) => bytes(sized(key), sized(value));

/** A transaction with one output whose script has this length. */
const transaction = (script) =>
  bytes(u32(2), 1, Buffer.alloc(36, 7), 0, u32(0), 1, output(Buffer.from(times(script, (at) => at % 256)), 1_000), u32(9));

/** Its inputs spend these transactions, whose txids are these. */
function spending(previous, txids) {
  const unsigned = bytes(u32(2), compact(previous.length), ...txids.map((txid) => bytes(txid, u32(0), 0, u32(5))), 1, output([0x51], 5), u32(0));
  return bytes('psbt', 0xff, field([0], unsigned), 0, ...previous.map((file) => bytes(field([0], file), 0)), 0);
}

test('the txids of any number of transactions of any length are right, and others are refused', () => {
  const all = [...times(200, (length) => length), 4_000, 300, 2_000, 301, 60_000, 302].map(transaction);
  const txids = all.map((file) => sha256(sha256(file)));
  for (const count of [1, 2, 3, 4, 5, all.length]) {
    const [some, own] = [all.slice(-count), txids.slice(-count)];
    const report = readPsbt(spending(some, own), 'mainnet');
    assert.deepEqual(report.inputs.map(({ txid }) => txid), own.map((txid) => Buffer.from(txid).reverse().toString('hex')));
    assert.ok(report.inputs.every(({ source }) => source === 'previous-transaction'));
    const other = own.with(-1, Buffer.alloc(32, 1));
    assert.throws(() => readPsbt(spending(some, other), 'mainnet'), { code: 'previous-transaction-mismatch', index: count - 1 });
  }
});
