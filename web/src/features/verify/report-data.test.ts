import { expect, test } from 'vitest';
import type { AtDate } from './judge';
import { LISTED, reportOf, type ReportFile, type ReportGiven } from './report-data';
import { lettersOf, told } from './told';

const block = (height: number, time: number) => ({ height, hash: height.toString(16).padStart(64, '0'), time, medianTime: time - 3_600 });

const file: ReportFile = {
  name: 'acme.proof.json',
  bytes: 6_100,
  sha256: 'cd'.repeat(32),
  holder: 'Mira Kowal',
  line: 'Proof of Reserves for:acme-bank-loan-4711-k3v~2amxg5dj 5nqwz2c7hdtyvb4mrk6e',
  block: { height: 977_455, time: 1_795_000_000, isDated: null },
  coins: [75_000_000n, 1_015_500_000n, 150_000_000n].map((sats, vout) => ({ address: `bc1q${vout}`, txid: 'ab'.repeat(32), vout, sats, conditions: { needed: 2, of: 3, signed: [1, 2, 3], lockTime: null, sequence: null, hidden: false } })),
  at: null,
  state: 'open',
};
const given: ReportGiven = {
  by: 'holder',
  request: 'Acme Bank, loan 4711 k3v9q2',
  compared: true,
  network: 'mainnet',
  files: [file],
  result: told`It states 12.405 BTC.`,
  state: 'open',
  total: 1_240_500_000n,
  sums: [],
  check: null,
  price: null,
  prepared: new Date('2026-11-20T16:12:00Z'),
};
const check = { at: new Date('2026-11-20T16:12:00Z'), height: 977_462, host: 'mempool.space', unspent: 3, of: 3, dated: true };
const right: ReportGiven = { ...given, check, state: 'right', files: [{ ...file, state: 'right', block: { ...file.block, isDated: true } }] };
/** 31 December 2026, 24:00, in Berlin. */
const at: AtDate = {
  text: '2026-12-31T24:00:00+01:00',
  seconds: 1_798_758_000,
  bounds: { lower: block(981_000, 1_798_757_000), upper: block(981_004, 1_798_759_900), settled: true },
  verdict: { status: 'right', reason: null, control: 'by-the-date', coins: ['stood', 'stood', 'spent-since'], stoodSats: 1_090_500_000n, sinceSats: 150_000_000n },
};

test('before the chain was asked the total is stated', () => {
  const report = reportOf(given);
  expect(report).toMatchObject({ total: '12.40500000 BTC', label: 'Stated', coins: '3 coins, all signed for', state: 'stated, not checked with the chain', dollars: null, more: null, date: null });
  expect(report.checked).toMatch(/^Not checked/);
  expect(report.existence).toMatch(/^Not shown yet/);
  expect(report.rows.map(({ vout }) => vout)).toEqual([1, 2, 0]);
  expect(report.rows[0]?.conditions).toBe('2 of 3 keys; keys 1, 2 and 3 signed');
  expect(lettersOf(report.files[0]!.signed)).toBe('after block 977,455 (Nov 18, 2026). Old after block 981,487, about Dec 16, 2026.');
  expect(report.files[0]?.keys).toBe('Keys 1, 2 and 3 of 3 signed; 2 are needed.');
});

test('it says when, at which block and by whom the coins were checked', () => {
  expect(reportOf(right)).toMatchObject({
    label: 'At least',
    state: 'unspent at block 977,462, says mempool.space',
    checked: '2026-11-20 16:12:00 UTC, at block 977,462, by mempool.space',
  });
  expect(reportOf({ ...right, check: { ...check, unspent: 2 } }).state).toBe('2 of 3 unspent at block 977,462, says mempool.space');
});

test('a block that nobody has seen is said, and one that the source does not have dates nothing', () => {
  const signed = (more: Partial<ReportFile>, asked: ReportGiven['check']) => lettersOf(reportOf({ ...given, check: asked, files: [{ ...file, ...more }] }).files[0]!.signed);
  expect(signed({ pasted: true }, null)).toContain('The block was pasted and not checked.');
  expect(signed({ pasted: true, block: { ...file.block, isDated: true } }, check)).not.toContain('not checked');
  expect(signed({ block: { ...file.block, isDated: false } }, check)).toBe('Not dated: mempool.space does not have the block that the line names.');
});

test('dollars come with the source and the time of the price, and many coins are cut', () => {
  const price = { usd: 100_000, source: 'mempool.space', at: new Date('2026-11-20T16:10:00Z') };
  expect(reportOf({ ...given, price })).toMatchObject({ dollars: '$1,240,500 at $100,000 per BTC', priceSource: 'mempool.space, 2026-11-20 16:10:00 UTC' });
  const coins = Array.from({ length: 500 }, (_, vout) => ({ address: null, txid: 'ab'.repeat(32), vout, sats: 1n, conditions: null }));
  const many = reportOf({ ...given, files: [{ ...file, coins }] });
  expect(many.rows).toHaveLength(LISTED);
  expect(many.more).toBe('And 400 other coins. The file lists all 500.');
});

test('a date stands with its zone, both of its blocks with both of their times, and what is not in the sum', () => {
  const report = reportOf({ ...right, total: at.verdict.stoodSats, files: [{ ...right.files[0]!, at }] });
  expect(report).toMatchObject({ label: 'At least', total: '10.90500000 BTC', state: 'at 2026-12-31 24:00 UTC+01:00 (2026-12-31 23:00:00 UTC)' });
  expect(report.date).toMatchObject({
    lower: { text: 'block 981,000 (its time 2026-12-31 22:43:20 UTC, median time past 2026-12-31 21:43:20 UTC)', hash: '0'.repeat(59) + 'ef808' },
    upper: { text: 'block 981,004 (its time 2026-12-31 23:31:40 UTC, median time past 2026-12-31 22:31:40 UTC)' },
    since: '1.50000000 BTC stood and were spent since; the signature may be later. Not in the sum.',
    left: '1 coin: stood, spent since',
  });
  expect(report.existence).toContain('received in blocks up to 981,000, and spent in no block up to 981,004');
  expect(lettersOf(report.files[0]!.signed)).toBe('Signed after block 977,455 (Nov 18, 2026). The date’s last block is 981,004: the keys signed before or after the date.');
  const later = { ...at, verdict: { ...at.verdict, control: 'later' as const } };
  expect(lettersOf(reportOf({ ...right, files: [{ ...right.files[0]!, at: later }] }).files[0]!.signed)).toContain('control was shown later than the date');
});

test('several names have no sum over all, and a wrong file leaves none at all', () => {
  const two = [right.files[0]!, { ...right.files[0]!, name: 'b.json', holder: 'Jo' }];
  const sums = [{ name: 'Mira Kowal', coins: 3, sats: 5n }, { name: 'Jo', coins: 3, sats: 7n }];
  const report = reportOf({ ...right, files: two, total: null, sums });
  expect(report.total).toBeNull();
  expect(report.sums.map(lettersOf)).toEqual(['“Mira Kowal”: at least 0.00000005 BTC in 3 coins', '“Jo”: at least 0.00000007 BTC in 3 coins']);
  expect(report.names.map(lettersOf)).toEqual(['says they are “Mira Kowal”', 'says they are “Jo”']);
  expect(reportOf({ ...right, state: 'false', files: [two[0]!, { ...two[1]!, state: 'false' }], total: null })).toMatchObject({ total: null, sums: [], coins: '6 coins' });
});

test('both commands name the files, the request, the date, and no source', () => {
  const files = [{ ...right.files[0]!, at }, { ...right.files[0]!, at, name: "Jo's file.json" }];
  const report = reportOf({ ...right, files, request: "Acme's $loan 4711" });
  expect(report.command).toBe(String.raw`npx psbt-wasm verify acme.proof.json 'Jo'\''s file.json' --request 'Acme'\''s $loan 4711' --at 2026-12-31T24:00:00+01:00 --esplora URL`);
  expect(report.ownNode).toMatch(/^reserves-audit proof acme\.proof\.json .* --at 2026-12-31T24:00:00\+01:00 --chain bitcoind:URL$/);
});
