import { beforeEach, expect, test, vi } from 'vitest';
import { readHeader } from '../../lib/block-header';
import { stubEsplora } from '../../testing/esplora';
import { lettersOf } from '../verify/told';
import { carrierOf, keptAsked, newNonce, requestOf, stemOf, type Asked } from './asked';
import { newestBlock, pastedBlock } from './block';
import { newestPrice } from './report-step';
import { linkTo, randomPart, wordsIn } from './link';
import { LISTED, reportOf, type ReportGiven } from './report-data';

/** The header of block 0 of mainnet, and its hash. */
const HEADER =
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c';
const HASH = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
const STATEMENT = 'Proof of Reserves for:acme-bank-loan-4711-k3v~2amxg5dj 5nqwz2c7hdtyvb4mrk6e';
const asked: Asked = {
  words: 'Acme Bank, loan 4711 k3v9q2',
  name: 'Mira Kowal',
  nonce: '07'.repeat(16),
  block: { network: 'mainnet', height: 977_455, header: HEADER, hash: HASH, time: 1_795_000_000, source: 'mempool.space' },
  statement: STATEMENT,
};

beforeEach(() => {
  const stored = new Map<string, string>();
  const localStorage = { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, text: string) => stored.set(key, text), removeItem: (key: string) => stored.delete(key) };
  vi.stubGlobal('window', { localStorage });
  vi.stubGlobal('location', new URL('https://board.example'));
});

test('the words of a link stand in its fragment alone, on any host and below any path', () => {
  for (const [page, start] of [
    ['https://board.example/prove/ask', 'https://board.example/prove#'],
    ['https://board.example/prove/ask/', 'https://board.example/prove/#'],
    ['https://static.example/some/where/prove/ask/', 'https://static.example/some/where/prove/#'],
    ['https://static.example/x/prove/ask/index.html', 'https://static.example/x/prove/#'],
  ] as const) {
    const link = new URL(linkTo(new URL(page), 'Acme & Söhne, loan #4711?'));
    expect(link.href).toContain(start);
    expect(link.search).toBe('');
    expect(wordsIn(link.hash)).toBe('Acme & Söhne, loan #4711?');
  }
});

test.each(['', '#', '#for=', '#for=%', '#words=a', `#for=${'a'.repeat(4000)}`])('no words are in %s', (hash) => {
  expect(wordsIn(hash)).toBeNull();
});

test('the random part is another each time', () => {
  const parts = Array.from({ length: 100 }, randomPart);
  expect(new Set(parts).size).toBe(100);
  expect(parts.every((part) => /^[a-kmnp-z2-9]{10}$/.test(part))).toBe(true);
});

test('a header is hashed, and one without the work that it claims is none', () => {
  expect(readHeader(HEADER)).toEqual({ header: HEADER, hash: HASH, time: 1_231_006_505 });
  for (const other of ['', 'nonsense', HEADER.slice(2), `${HEADER}00`, `${HEADER.slice(0, -2)}7d`]) expect(readHeader(other)).toBeNull();
});

test('the newest block with six above it dates the proof', async () => {
  const replies: Record<string, string> = { '/block-height/899994': HASH, [`/block/${HASH}/header`]: HEADER };
  const calls = stubEsplora([], (path) => (replies[path] === undefined ? null : { body: replies[path] }));
  expect(await newestBlock('https://chain.example')).toEqual({ network: 'mainnet', height: 899_994, header: HEADER, hash: HASH, time: 1_231_006_505, source: 'chain.example' });
  expect(calls.every(({ host }) => host === 'chain.example')).toBe(true);
});

test('a source with another header, or with an unknown chain, is refused', async () => {
  stubEsplora([], (path) => (path.endsWith('/header') ? { body: `${HEADER.slice(0, -2)}7d` } : path === '/block-height/899994' ? { body: HASH } : null));
  await expect(newestBlock('https://chain.example')).rejects.toThrow('doesn’t belong to block 899994');
  stubEsplora([], (path) => (path === '/block-height/0' ? { body: 'ab'.repeat(32) } : null));
  await expect(newestBlock('https://chain.example')).rejects.toThrow('on a network that this page doesn’t support');
});

test('a block can be pasted, and says that nobody gave it', () => {
  expect(pastedBlock(` ${HEADER.slice(0, 80)}\n${HEADER.slice(80)}`, ' 977455 ', 'mainnet')).toMatchObject({ height: 977_455, hash: HASH, source: null });
  expect(pastedBlock(HEADER, 'high', 'mainnet')).toMatch(/height/);
  expect(pastedBlock(HASH, '977455', 'mainnet')).toMatch(/not a block header/);
});

test('what was begun is kept until it is forgotten, and anything else in its place is nothing', () => {
  expect(keptAsked.get()).toBeNull();
  keptAsked.set(asked);
  expect(keptAsked.get()).toEqual(asked);
  for (const broken of [{ nonce: '07' }, { words: '' }, { block: { ...asked.block, header: '00' } }, { block: { ...asked.block, network: 'other' } }]) {
    keptAsked.set({ ...asked, ...broken } as Asked);
    expect(keptAsked.get()).toBeNull();
  }
  keptAsked.set(asked);
  keptAsked.remove();
  expect(keptAsked.get()).toBeNull();
  expect(newNonce()).not.toBe(newNonce());
});

test('the request, the output and the file name follow from what was asked', () => {
  expect(requestOf(asked)).toMatchObject({ words: asked.words, height: 977_455, network: 'mainnet', nonce: new Uint8Array(16).fill(7) });
  expect(carrierOf('ab').output_script).toBe('6a026162');
  expect(stemOf(STATEMENT)).toBe('acme-bank-loan-4711-k3v');
  expect(stemOf('Proof of Reserves for:~2amxg5dj 5nqwz2c7hdtyvb4mrk6e')).toBe('2amxg5dj');
});

const given: ReportGiven = {
  asked,
  coins: [75_000_000n, 1_015_500_000n, 150_000_000n].map((sats, vout) => ({ address: `bc1q${vout}`, txid: 'ab'.repeat(32), vout, sats })),
  check: null,
  price: null,
  file: { name: 'acme.proof.json', bytes: 6_100, sha256: 'cd'.repeat(32) },
  prepared: new Date('2026-11-20T16:12:00Z'),
};
const check = { at: new Date('2026-11-20T16:12:00Z'), height: 977_462, host: 'mempool.space', unspent: 3, of: 3, dated: true };

test('before the chain was asked the total is stated', () => {
  const report = reportOf(given);
  expect(report).toMatchObject({ total: '12.40500000 BTC', coins: '3 coins, all signed for', state: 'stated, not checked with the chain', dollars: null, more: null });
  expect(report.checked).toMatch(/^Not checked/);
  expect(report.rows.map(({ vout }) => vout)).toEqual([1, 2, 0]);
  expect(lettersOf(report.signed)).toBe('after block 977,455 (Nov 18, 2026). Old after block 981,487, about Dec 16, 2026.');
});

test('the report says when, at which block and by whom the coins were checked', () => {
  expect(reportOf({ ...given, check })).toMatchObject({
    state: 'unspent at block 977,462, says mempool.space',
    checked: 'Nov 20, 2026, 4:12 PM UTC, at block 977,462, by mempool.space',
  });
  expect(reportOf({ ...given, check: { ...check, unspent: 2 } }).state).toBe('2 of 3 unspent at block 977,462, says mempool.space');
});

test('a block that nobody has seen is said, and one that the source does not have dates nothing', () => {
  const pasted = { ...given, asked: { ...asked, block: { ...asked.block, source: null } } };
  expect(lettersOf(reportOf(pasted).signed)).toContain('The block was pasted and not checked.');
  expect(lettersOf(reportOf({ ...pasted, check }).signed)).not.toContain('not checked');
  expect(lettersOf(reportOf({ ...given, check: { ...check, dated: false } }).signed)).toBe('Not dated: mempool.space does not have the block that the line names.');
});

test('the price comes from one public source, with its time', async () => {
  const calls = stubEsplora([], () => ({ body: { time: 1_795_000_000, USD: 91_234, EUR: 1 } }));
  expect(await newestPrice()).toEqual({ usd: 91_234, source: 'mempool.space', at: new Date(1_795_000_000_000) });
  expect(calls.map(({ href }) => href)).toEqual(['https://mempool.space/api/v1/prices']);
  stubEsplora([], () => ({ body: { time: 1_795_000_000, USD: 'much' } }));
  await expect(newestPrice()).rejects.toThrow('sent no valid price');
});

test('dollars come with the source and the time of the price, and many coins are cut', () => {
  const price = { usd: 100_000, source: 'mempool.space', at: new Date('2026-11-20T16:10:00Z') };
  expect(reportOf({ ...given, price })).toMatchObject({ dollars: '$1,240,500 at $100,000 per BTC', priceSource: 'mempool.space, Nov 20, 2026, 4:10 PM UTC' });
  const many = reportOf({ ...given, coins: Array.from({ length: 500 }, (_, vout) => ({ address: null, txid: 'ab'.repeat(32), vout, sats: 1n })) });
  expect(many.rows).toHaveLength(LISTED);
  expect(many.more).toBe('And 460 smaller coins. The file lists all 500.');
});
