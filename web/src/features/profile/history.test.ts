import { expect, test } from 'vitest';
import { profile } from '../../testing/profiles';
import { endedNote, isMockProof, numberedHistory, statusLabel } from './history';
import { shareAddress, shareText } from './share';

const proof = (file_name: string, bitcoin_amount: number) => ({ file_name, bitcoin_amount });

test.each([
  ['wallet_verification.psbt', 1.25, true],
  ['wallet_verification.psbt', 1.2501, true],
  ['wallet_verification.psbt', 1.2502, false],
  ['other.psbt', 1.25, false],
])('%s of %d BTC is the mock proof: %s', (name, amount, mock) => {
  expect(isMockProof(proof(name, amount))).toBe(mock);
});

test('the newest proof has the highest number, and the mock proof none', () => {
  const newestFirst = [proof('c.psbt', 3), proof('wallet_verification.psbt', 1.25), proof('b.psbt', 2), proof('a.psbt', 1)];
  expect(numberedHistory(newestFirst).map(({ number, proof: { file_name } }) => [number, file_name])).toEqual([
    [3, 'c.psbt'],
    [2, 'b.psbt'],
    [1, 'a.psbt'],
  ]);
});

test.each([
  ['reverified', 'Re-verified'],
  ['partial-reverify', 'Partial Re-verify'],
  ['verified', 'Initial Verification'],
  ['anything else', 'Initial Verification'],
])('%s is shown as %s', (status, label) => expect(statusLabel(status)).toBe(label));

test('the shared text has the rank and two decimals, and leads to the public row', () => {
  const holder = profile({ rank: 3, bitcoin_holdings: 1.256 });
  expect(shareText(holder, true)).toBe("I'm ranked #3 on the Bitcoin Leaderboard with 1.26 BTC of proven holdings.");
  expect(shareText(holder, false)).toContain('@satoshi is ranked #3');
  const address = new URL(shareAddress(holder, true, 'https://reserves.example'));
  expect(address.searchParams.get('url')).toBe('https://reserves.example/leaderboard?u=satoshi');
  expect(shareText(profile({ rank: null }), true)).not.toContain('#');
  const elsewhere = new URL(shareAddress(profile({ provider: 'github' }), true, 'https://reserves.example'));
  expect(elsewhere.searchParams.get('url')).toBe('https://reserves.example/leaderboard?u=github%3Asatoshi');
});

test.each([
  [{ ended_reason: null, taken_over_sats: null, spent_sats: null }, null],
  [{ ended_reason: 'expired', taken_over_sats: null, spent_sats: null }, null],
  [{ ended_reason: 'renewed', taken_over_sats: null, spent_sats: null }, 'A newer proof covers these coins.'],
  [{ ended_reason: 'spent', taken_over_sats: null, spent_sats: null }, 'These coins have been spent.'],
  [
    { ended_reason: 'reorganised', taken_over_sats: null, spent_sats: null },
    'A reorganisation of the Bitcoin chain undid these coins. They count again by themselves once a block confirms them.',
  ],
  [
    { ended_reason: 'binding-withdrawn', taken_over_sats: null, spent_sats: null },
    'This proof was bound to your account by an amount. That way no longer counts, because others could bring such a transaction about. Make a new proof with your statement on the upload page.',
  ],
  [
    { ended_reason: null, taken_over_sats: null, spent_sats: 150_000_000 },
    '1.50000000 BTC of the coins of this proof have been spent, and no longer count.',
  ],
  [{ ended_reason: 'something new', taken_over_sats: null, spent_sats: null }, null],
])('a proof that ended as %o says why', (ended, note) => {
  expect(endedNote(ended)).toBe(note);
});

test('coins that were taken over are told, and nobody is named', () => {
  const note = endedNote({ ended_reason: 'taken-over', taken_over_sats: 30_000_000, spent_sats: null });
  expect(note).toContain('0.30000000 BTC of it no longer count for you');
});
