import { expect, test } from 'vitest';
import { profile } from '../../testing/profiles';
import type { Proof } from '../../api/types';
import { endedNote, isMockProof, nextToExpire, numberedHistory, standing, statusLabel, timeLeft } from './history';
import { postAddress, shareText } from '../share/share-links';
import { stepsOf } from './story-card';

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
  expect(shareText(holder, true)).toBe("I'm ranked #3 on the Bitcoin Leaderboard with 1.25 BTC of proven holdings.");
  expect(shareText(holder, false)).toContain('@satoshi is ranked #3');
  const hidden = profile({ rank: 3, bitcoin_holdings: 1.256, shown_as: 'range' });
  expect(shareText(hidden, true)).toBe("I'm ranked #3 on the Bitcoin Leaderboard with at least 1 BTC of proven holdings.");
  const address = new URL(postAddress(holder, true, 'https://reserves.example'));
  expect(address.searchParams.get('url')).toBe('https://reserves.example/leaderboard?u=satoshi');
  expect(shareText(profile({ rank: null }), true)).not.toContain('#');
  const elsewhere = new URL(postAddress(profile({ provider: 'github' }), true, 'https://reserves.example'));
  expect(elsewhere.searchParams.get('url')).toBe('https://reserves.example/leaderboard?u=github%3Asatoshi');
});

test.each([
  [{ ended_reason: null, taken_over_sats: null, spent_sats: null }, null],
  [{ ended_reason: 'expired', taken_over_sats: null, spent_sats: null }, null],
  [{ ended_reason: 'renewed', taken_over_sats: null, spent_sats: null }, 'A newer proof covers these coins.'],
  [{ ended_reason: 'spent', taken_over_sats: null, spent_sats: null }, 'These coins have been spent.'],
  [
    { ended_reason: 'reorganized', taken_over_sats: null, spent_sats: null },
    'A reorganization of the Bitcoin chain undid these coins. They count again once a block confirms them.',
  ],
  [
    { ended_reason: null, taken_over_sats: null, spent_sats: 150_000_000 },
    '1.50000000 BTC of this proof has been spent and no longer counts.',
  ],
  [{ ended_reason: 'something new', taken_over_sats: null, spent_sats: null }, null],
])('a proof that ended as %o says why', (ended, note) => {
  expect(endedNote(ended)).toBe(note);
});

test.each([
  [{ active: true, ended_reason: null }, 'Active'],
  [{ active: false, ended_reason: 'expired' }, 'Expired'],
  [{ active: false, ended_reason: 'renewed' }, 'Replaced'],
  [{ active: false, ended_reason: 'spent' }, 'Spent'],
  [{ active: false, ended_reason: 'taken-over' }, 'Taken over'],
  [{ active: false, ended_reason: 'reorganized' }, 'Undone'],
])('a proof that is %o stands as %s', (proofs, word) => expect(standing(proofs)).toBe(word));

const NOW = new Date('2026-11-22T12:00:00Z');
const ends = (active: boolean, expires_at: string, ended_reason: string | null = null) => ({ active, expires_at, ended_reason }) as Proof;

test.each<[string, boolean, string | null, Proof[] | undefined, string | null]>([
  ['nothing was ever verified', false, null, [], null],
  ['a row alone', true, '2026-11-12T12:00:00Z', undefined, 'Expires in 80d'],
  ['an older proof ends first', true, '2026-11-12T12:00:00Z', [ends(true, '2027-02-10T12:00:00Z'), ends(true, '2026-11-23T12:00:00Z')], 'Expires in 1d'],
  ['a proof that was renewed since', true, '2026-07-01T12:00:00Z', [ends(true, '2027-02-20T12:00:00Z')], 'Expires in 90d'],
  ['every coin is spent', false, '2026-11-12T12:00:00Z', [ends(false, '2027-02-10T12:00:00Z', 'spent')], 'Spent'],
  ['every coin is taken over', false, '2026-11-12T12:00:00Z', [ends(false, '2027-02-10T12:00:00Z', 'taken-over')], 'Taken over'],
  ['the same, to a visitor', false, '2026-11-12T12:00:00Z', undefined, 'No longer verified'],
  ['its time is over', false, '2026-08-01T12:00:00Z', [ends(false, '2026-10-30T12:00:00Z', 'expired')], 'Expired 23d ago'],
])('the header tells the truth when %s', (_when, verified, last_verified, proofs, text) => {
  expect(timeLeft({ verified, last_verified }, proofs, NOW)?.text ?? null).toBe(text);
});

test('what ends next is the active proof with the least time', () => {
  const soon = ends(true, '2026-12-01T00:00:00Z');
  expect(nextToExpire([ends(true, '2027-01-01T00:00:00Z'), soon, ends(false, '2026-11-23T00:00:00Z')])).toBe(soon);
  expect(nextToExpire([ends(false, '2026-12-01T00:00:00Z')])).toBeNull();
});

test('holdings over time are steps that end today', () => {
  const points = [
    { at: '2026-11-20T12:00:00Z', sats: 100 },
    { at: '2026-11-21T12:00:00Z', sats: 200 },
    { at: '2026-11-22T00:00:00Z', sats: 0 },
  ];
  expect(stepsOf(points, NOW, 400, 104)).toEqual({
    line: 'M0 102H0V52H200V2H300V102H400',
    area: 'M0 102H0V52H200V2H300V102H400V104H0Z',
    first: new Date('2026-11-20T12:00:00Z'),
    most: 200,
    last: 0,
  });
});

test('coins that were taken over are listed, and nobody is named', () => {
  const note = endedNote({ ended_reason: 'taken-over', taken_over_sats: 30_000_000, spent_sats: null });
  expect(note).toContain('0.30000000 BTC of this no longer counts for you');
});
