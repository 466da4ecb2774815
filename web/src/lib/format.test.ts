import { expect, test } from 'vitest';
import {
  amountParts,
  formatBtc,
  formatBtcShort,
  formatCount,
  formatDate,
  formatFileSize,
  formatLockTime,
  formatMebibytes,
  formatSats,
  formatSatsShort,
  formatUsd,
  formatUsdShort,
  formatUsdValue,
  plural,
  shorten,
} from './format';

test.each([
  [0n, '0.00000000'],
  [1n, '0.00000001'],
  [123_456_789n, '1.23456789'],
  [2_100_000_000_000_000n, '21,000,000.00000000'],
  [-5n, '-0.00000005'],
  [9_007_199_254_740_993n, '90,071,992.54740993'], // beyond a double's whole numbers
])('%s sats have eight decimals', (sats, text) => expect(formatSats(sats)).toBe(text));

test('BTC from the API have eight decimals, and none are N/A', () => {
  expect(formatBtc(0.1 + 0.2)).toBe('0.30000000');
  expect(formatBtc(20_999_999.9769)).toBe('20,999,999.97690000');
  expect(formatBtc(0)).toBe('0.00000000');
  expect(formatBtc(null)).toBe('N/A');
  expect(formatBtc(undefined)).toBe('N/A');
});

test.each([
  [1_234.5678, '1,234.56'],
  [2.3, '2.30'],
  [2.99999999, '2.99'],
  [0.01, '0.01'],
  [0.00999999, '0.0099'],
  [0.0054321, '0.0054'],
  [0.00000001, '0.00000001'],
])('%d BTC are %s where they are shared: never more than is proven', (btc, text) => expect(formatBtcShort(btc)).toBe(text));

test.each([
  [225_000_000, '2.25'],
  [100_000_000_000, '1,000'],
  [1, '0.00000001'],
])('%d sats are %s in a heading: exact, without zeros at the end', (sats, text) => expect(formatSatsShort(sats)).toBe(text));

test('dollars have up to two decimals', () => {
  expect(formatUsd(125_000)).toBe('$125,000');
  expect(formatUsd(125_000.5)).toBe('$125,000.50');
  expect(formatUsd(0.126)).toBe('$0.13');
});

test('the USD column waits for the price, and is N/A without holdings', () => {
  expect(formatUsdValue(1.5, 100_000)).toBe('$150,000');
  expect(formatUsdValue(1.5, null)).toBe('Loading...');
  expect(formatUsdValue(null, 100_000)).toBe('N/A');
  expect(formatUsdValue(null, null)).toBe('N/A');
});

test('sizes are in KB with two decimals, limits in MiB', () => {
  expect(formatFileSize(527)).toBe('0.51 KB');
  expect(formatFileSize(0)).toBe('0.00 KB');
  expect(formatMebibytes(32 * 1024 * 1024)).toBe('32 MiB');
  expect(formatMebibytes(50_000_000)).toBe('47.7 MiB');
});

test('dates, counts and identifiers read as people write them', () => {
  expect(formatDate('2026-11-21T23:30:00Z', 'UTC')).toBe('Nov 21, 2026');
  expect(formatDate('2026-11-21T23:30:00Z', 'Asia/Tokyo')).toBe('Nov 22, 2026');
  expect(formatCount(1234567)).toBe('1,234,567');
  expect(plural(1, 'input')).toBe('1 input');
  expect(plural(2000, 'input')).toBe('2,000 inputs');
  expect(shorten('0123456789abcdef0123456789abcdef')).toBe('01234567…89abcdef');
  expect(shorten('short')).toBe('short');
});

test('a lock time is nothing, a block or a time', () => {
  expect(formatLockTime(0)).toBe('None');
  expect(formatLockTime(499_999_999)).toBe('Block 499,999,999');
  expect(formatLockTime(500_000_000)).toMatch(/1985/);
});

test.each([
  [0, '$0'],
  [999.99, '$999.99'],
  [1_000, '$1.00K'],
  [999_999, '$999K'],
  [61_749_999, '$61.7M'],
  [2_059_999_999, '$2.05B'],
  [2_100_000_000_000, '$2.10T'],
  [2_100_000_000_000_000, '$2,100T'],
])('%s dollars in short never say more than there are', (amount, text) => expect(formatUsdShort(amount)).toBe(text));

test.each([
  [0, ['0', '', '.00000000']],
  [0.00000001, ['0', '.00000001', '']],
  [300, ['300', '', '.00000000']],
  [21_413.00017, ['21,413', '.00017', '000']],
  [21_000_000, ['21,000,000', '', '.00000000']],
])('the zeros behind %s stand apart', (btc, parts) => expect(amountParts(btc)).toEqual(parts));
