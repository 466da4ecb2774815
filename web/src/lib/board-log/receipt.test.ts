// @vitest-environment node
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { toBase64 } from '../bytes';
import { checkpointOf, checkReceipt, holdingsOf, isReceipt } from './receipt';

// The same files that the server's tests check (server/api/tests/it/board_log/receipts.rs).
const folder = new URL('./fixture/', import.meta.url);
const text = await readFile(new URL('row.tlog-proof', folder), 'utf8');
const key = await readFile(new URL('key.txt', folder), 'utf8');

const verdict = async (receipt: string, keys = [key], until = Infinity) =>
  checkReceipt(receipt, keys.map((each) => ({ key: each, until })));

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
  const size = Number((await checkpointOf(text)).split('\n')[1]);
  expect((await verdict(text, [key], size)).height).toBe(1_000);
  await expect(verdict(text, [key], size - 1)).rejects.toThrow('had already been replaced');
});

it('believes no key but the reader’s own', async () => {
  await expect(verdict(text, [])).rejects.toThrow('not signed with a key that you trust');
});

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const sha256 = (...parts: (string | Uint8Array)[]) => createHash('sha256').update(Buffer.concat(parts.map((part) => Buffer.from(part)))).digest();
const NOTHING = new Uint8Array(1);

/** A receipt about this row by a log of its own, which has one entry about this one row, and its key. */
function signedReceipt(row: string, entryOf = (root: string) => `{"kind":"board","height":7,"block":"ab","time":"2026-11-28T00:00:00Z","rows":1,"root":"${root}"}`) {
  const name = 'board.example/log';
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const signer = Buffer.concat([Buffer.from([1]), publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)]);
  const id = sha256(`${name}\n`, signer).subarray(0, 4);
  const entry = entryOf(sha256(NOTHING, row).toString('hex'));
  const body = `${name}\n1\n${base64(sha256(NOTHING, entry))}\n`;
  const line = `\u2014 ${name} ${base64(Buffer.concat([id, sign(null, Buffer.from(body), privateKey)]))}\n`;
  const extra = base64(Buffer.from(JSON.stringify({ entry, row, index: 0, path: [] })));
  return { text: `c2sp.org/tlog-proof@v1\nextra ${extra}\nindex 0\n\n${body}\n${line}`, key: `${name}+${id.toString('hex')}+${base64(signer)}` };
}

const ROW =
  `{"id":"1","provider":"x","name":"a","named":true,"shown_as":"exact","sats":7,"tier":null,"published_sats":null,"last_verified":null,"salt":"${'00'.repeat(32)}"}`;

it.each([
  ['a row as boards spell it', ROW, undefined, true],
  ['a member that it does not know', ROW.replace('}', ',"more":1}'), undefined, false],
  ['another spelling of the row', ROW.replace(',', ', '), undefined, false],
  ['a member said twice', ROW.replace('{', '{"id":"2",'), undefined, false],
  ['more bitcoin than there is', ROW.replace('"sats":7', '"sats":2100000000000001'), undefined, false],
  ['a tier that there is not', ROW.replace('"tier":null', '"tier":"Minnow"'), undefined, false],
  ['a member less', ROW.replace(',"tier":null', ''), undefined, false],
  ['another spelling of the entry', ROW, (root: string) => `{"kind":"board","height":7.0,"block":"ab","time":"t","rows":1,"root":"${root}"}`, false],
  ['an entry with more', ROW, (root: string) => `{"kind":"board","height":7,"block":"ab","time":"t","rows":1,"root":"${root}","more":1}`, false],
])('reads a signed receipt with %s as the audit does', async (_, row, entryOf, right) => {
  const made = signedReceipt(row, entryOf);
  const read = verdict(made.text, [made.key]);
  await (right ? expect(read).resolves.toMatchObject({ row: { holdings_sats: 7 } }) : expect(read).rejects.toThrow('not a receipt'));
});
