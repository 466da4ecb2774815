// @vitest-environment node
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { toBase64 } from '../bytes';
import { checkReceipt, holdingsOf, isReceipt, readReceipt } from './receipt';

// The same files that the server's tests check (server/api/tests/it/board_log/receipts.rs).
const folder = new URL('./fixture/', import.meta.url);
const text = await readFile(new URL('row.tlog-proof', folder), 'utf8');
const key = await readFile(new URL('key.txt', folder), 'utf8');

const verdict = async (receipt: string, keys = [key], until = Infinity) =>
  checkReceipt(readReceipt(receipt), keys.map((each) => ({ key: each, until })));

it('shows the row of a good receipt', async () => {
  expect(isReceipt(text)).toBe(true);
  const shown = await verdict(text);
  expect(shown.row.holdings_sats).toBe(125_000_000);
  expect(holdingsOf(shown.row)).toBe('1.25000000 BTC');
  expect(holdingsOf({ ...shown.row, shown_as: 'range' })).toBe('at least 1 BTC');
  expect(shown.height).toBe(1_000);
  expect(shown.origin).toBe(key.split('+')[0]);
});

it('refuses a receipt in which any part has changed', async () => {
  for (let at = 0; at < text.length; at += 7) {
    const changed = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
    await expect(async () => verdict(changed), String(at)).rejects.toThrow();
  }
});

/** The receipt with something else in its extra data. */
function withExtra(change: (extra: Record<string, unknown>) => object): string {
  const line = text.split('\n')[1] ?? '';
  const extra = JSON.parse(atob(line.slice('extra '.length)));
  return text.replace(line, `extra ${toBase64(new TextEncoder().encode(JSON.stringify({ ...extra, ...change(extra) })))}`);
}

it.each([
  ['the row', (extra: Record<string, unknown>) => ({ row: String(extra.row).replace('125000000', '225000000') })],
  ['the index', (extra: Record<string, unknown>) => ({ index: Number(extra.index) + 1 })],
  ['the way', () => ({ path: [] })],
  ['the entry', (extra: Record<string, unknown>) => ({ entry: String(extra.entry).replace('1000', '1001') })],
])('refuses another %s', async (_, change) => {
  await expect(async () => verdict(withExtra(change))).rejects.toThrow();
});

it('believes a replaced key for what the log was until then', async () => {
  const size = Number(readReceipt(text).checkpoint.split('\n')[1]);
  expect((await verdict(text, [key], size)).height).toBe(1_000);
  await expect(verdict(text, [key], size - 1)).rejects.toThrow('had already been replaced');
});

it('believes no key but the reader’s own', async () => {
  await expect(verdict(text, [])).rejects.toThrow('not signed with a key that you trust');
});
