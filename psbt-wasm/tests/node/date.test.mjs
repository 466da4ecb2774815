// Dates and several files, as JavaScript calls them. The rules themselves: src/date and src/joined.rs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDate, joinProofs, judgeDate, readInstant } from 'psbt-wasm';

/** A chain with a block every ten minutes. */
const chain = Array.from({ length: 400 }, (_, height) => ({
  height,
  hash: String(height).padStart(64, '0'),
  time: 1_700_000_000 + 600 * height,
  medianTime: 1_700_000_000 + 600 * Math.max(0, height - 5),
}));
const TIP = chain.length - 1;
const AT = chain[300].time;

/** Ten blocks at once, as Esplora gives them. */
const ten = async (height) => chain.slice(Math.max(0, height - 9), height + 1).toReversed();

test('an instant has its time zone', async () => {
  assert.equal(await readInstant('2027-01-01T00:00:00+01:00'), 1_798_758_000);
  assert.equal(await readInstant('2026-12-31T24:00+01:00'), 1_798_758_000);
  for (const text of ['2027-01-01T00:00:00', '2027-01-01', '1 January 2027', '', '2027-02-29T00:00Z']) {
    await assert.rejects(readInstant(text), { name: 'PsbtError', code: 'invalid-instant' });
  }
  await assert.rejects(readInstant('2027-01-01T00:00:00'), /lacks its time zone/);
});

test('a search asks for few blocks, and any that come along count', async () => {
  const asked = [];
  const bounds = await findDate(AT, TIP, (height) => asked.push(height) && ten(height));
  assert.deepEqual(bounds, { lower: chain[300], upper: chain[305], settled: true });
  assert.ok(asked.length < 30, String(asked.length));
  const one = await findDate(AT, TIP, async (height) => [chain[height]]);
  assert.deepEqual(one, bounds);
  const later = await findDate(chain[TIP].time, TIP, ten);
  assert.equal(later.settled, false);
  assert.deepEqual(await findDate(1_600_000_000, TIP, ten), { lower: null, upper: null, settled: true });
});

test('what a source throws is thrown, and an answer without the block is refused', async () => {
  const lost = new Error('no answer');
  await assert.rejects(findDate(AT, TIP, () => Promise.reject(lost)), lost);
  for (const answer of [null, [], [chain[0]], [{ height: TIP }], [{ ...chain[TIP], time: '1' }]]) {
    await assert.rejects(findDate(AT, TIP, async () => answer), { code: 'invalid-option' });
  }
  await assert.rejects(findDate(1.5, TIP, ten), { code: 'invalid-option' });
  await assert.rejects(findDate(AT, -1, ten), { code: 'invalid-option' });
});

const bounds = { lower: chain[300], upper: chain[305], settled: true };
const coin = (funded, spent = null) => ({ valueSats: 21_000_000n * 100_000_000n, funded, spent });

test('a proof is judged at a date', async () => {
  const coins = [coin(300), coin(301), coin(300, 320), coin(200, 'unknown')];
  const verdict = await judgeDate({ bounds, signedAfter: 290, tip: TIP, coins: coins.slice(0, 3) });
  assert.deepEqual(verdict, {
    status: 'right',
    reason: null,
    control: 'by-the-date',
    coins: ['stood', 'funded-between', 'spent-since'],
    stoodSats: 2_100_000_000_000_000n,
    sinceSats: 2_100_000_000_000_000n,
  });
  const of = async (signedAfter, ...coins) => {
    const { status, reason, control } = await judgeDate({ bounds, signedAfter, tip: TIP, coins });
    return [status, reason, control];
  };
  assert.deepEqual(await of(310, coin(300)), ['right', null, 'later']);
  assert.deepEqual(await of(320, coin(300, 320)), ['false', 'nothing-stood', 'later']);
  assert.deepEqual(await of(290, coins[3], coin(300)), ['unchecked', 'cannot-say', 'by-the-date']);
  assert.deepEqual(await of(null, coin(300)), ['unchecked', 'not-dated', null]);
  const early = { lower: null, upper: null, settled: true };
  assert.equal((await judgeDate({ bounds: early, signedAfter: 1, tip: TIP, coins: [coin(0)] })).reason, 'nothing-stood');
  await assert.rejects(judgeDate({ bounds, signedAfter: 'none', tip: TIP, coins: [] }), { code: 'invalid-option' });
  await assert.rejects(judgeDate({ bounds, signedAfter: 1, tip: TIP, coins: [coin('300')] }), { code: 'invalid-option' });
});

const file = (number, name, ...coins) => ({
  sha256: String(number).padStart(64, '0'),
  network: 'mainnet',
  request: 'Acme Bank, loan 4711',
  name,
  status: 'right',
  coins: coins.map((vout) => ({ txid: 'ab'.repeat(31).padStart(64, 'cd'), vout, valueSats: 1_000n, counts: true })),
});

test('several files have one sum for each name', async () => {
  const files = [file(1, 'Mira “K” Kowal', 0, 1), file(2, 'Ivo', 2)];
  const apart = await joinProofs(files);
  assert.deepEqual(apart, {
    status: 'right',
    reason: null,
    file: null,
    names: [
      { name: 'Mira “K” Kowal', files: [0], coinCount: 2, amountSats: 2_000n },
      { name: 'Ivo', files: [1], coinCount: 1, amountSats: 1_000n },
    ],
    amountSats: null,
    shared: [],
  });
  assert.equal((await joinProofs(files, { oneClient: true })).amountSats, 3_000n);
  const shared = await joinProofs([...files, file(3, 'Ivo', 1, 5)]);
  const { txid } = files[0].coins[0];
  assert.deepEqual([shared.status, shared.reason, shared.file, shared.shared], ['unchecked', 'same-coin', 2, [{ txid, vout: 1, files: [0, 2] }]]);
  const wrong = await joinProofs([files[0], { ...files[1], status: 'false' }], { oneClient: true });
  assert.deepEqual([wrong.status, wrong.reason, wrong.file, wrong.amountSats], ['false', 'false-file', 1, null]);
  assert.ok(wrong.names.every(({ amountSats }) => amountSats === null));
  await assert.rejects(joinProofs(files, { one: true }), { code: 'invalid-option' });
});
