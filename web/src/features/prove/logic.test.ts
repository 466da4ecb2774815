import { beforeEach, expect, test, vi } from 'vitest';
import { readHeader } from '../../lib/block-header';
import { stubEsplora } from '../../testing/esplora';
import { keptAsked, newNonce, requestOf, stemOf, type Asked } from './asked';
import { newestBlock, pastedBlock } from './block';
import { newestPrice } from './report-step';
import { linkTo, randomPart, wordsIn } from './link';

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

test('the request and the file name follow from what was asked', () => {
  expect(requestOf(asked)).toMatchObject({ words: asked.words, height: 977_455, network: 'mainnet', nonce: new Uint8Array(16).fill(7) });
  expect(stemOf(STATEMENT)).toBe('acme-bank-loan-4711-k3v');
  expect(stemOf('Proof of Reserves for:~2amxg5dj 5nqwz2c7hdtyvb4mrk6e')).toBe('2amxg5dj');
});

test('the price comes from one public source, with its time', async () => {
  const calls = stubEsplora([], () => ({ body: { time: 1_795_000_000, USD: 91_234, EUR: 1 } }));
  expect(await newestPrice()).toEqual({ usd: 91_234, source: 'mempool.space', at: new Date(1_795_000_000_000) });
  expect(calls.map(({ href }) => href)).toEqual(['https://mempool.space/api/v1/prices']);
  stubEsplora([], () => ({ body: { time: 1_795_000_000, USD: 'much' } }));
  await expect(newestPrice()).rejects.toThrow('sent no valid price');
});
