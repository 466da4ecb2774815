import { beforeEach, describe, expect, test, vi } from 'vitest';
import { relativeLock, type CoinState, type SpentCoin } from '../../api/esplora';
import { chainFor } from '../../lib/chains';
import { stubEsplora, TIP } from '../../testing/esplora';
import { askAbout, keyOf } from './coins';

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://board.example'));
  vi.stubGlobal('navigator', { onLine: true });
});

/** Coins of one transaction. */
const TOGETHER = Array.from({ length: 300 }, (_, vout) => ({ txid: 'ab'.repeat(32), vout, value_sats: 1000 + vout, script_pubkey: '51' }));

async function statesOf(coins: SpentCoin[]) {
  const states = new Map<string, CoinState>();
  const genesis = chainFor({ network: 'mainnet' })?.genesis ?? '';
  await askAbout({ source: 'https://node.example', coins, genesis, states, signal: new AbortController().signal, onState: () => {} });
  return coins.map((coin) => states.get(keyOf(coin)));
}

test('coins of one transaction are asked about together', async () => {
  const calls = stubEsplora(TOGETHER, (path) =>
    path.endsWith('/outspends') ? { body: TOGETHER.map(({ vout }) => (vout < 2 ? { spent: true, status: { confirmed: vout === 0 } } : { spent: false })) } : null,
  );
  expect(await statesOf(TOGETHER)).toEqual(['spent', 'leaving', ...Array.from({ length: 298 }, () => 'unspent')]);
  expect(calls).toHaveLength(4);
});

test.each([
  [{ status: 404, body: 'Not found' }],
  [{ status: 400, body: 'Invalid' }],
  [{ status: 500, body: '' }],
  [new TypeError('CORS')],
  [{ body: 'no JSON' }],
  [{ body: {} }],
  // Too few outputs: Esplora says that an output that does not exist is unspent.
  [{ body: [{ spent: false }] }],
  [{ body: TOGETHER.map(() => ({})) }],
])('a source that cannot tell of them together is asked one by one: %j', async (says) => {
  const other = TOGETHER.slice(0, 3).map(({ vout }) => ({ txid: 'cd'.repeat(32), vout, value_sats: 5, script_pubkey: '51' }));
  const coins = [...TOGETHER.slice(0, 20), ...other];
  const spent = { body: { spent: true, status: { confirmed: true } } };
  const calls = stubEsplora(coins, (path) => (path.endsWith('/outspends') ? says : path.endsWith('/outspend/1') ? spent : null));
  expect((await statesOf(coins)).map((state, at) => [coins[at]?.vout, state])).toEqual(coins.map(({ vout }) => [vout, vout === 1 ? 'spent' : 'unspent']));
  expect(calls.filter(({ pathname }) => pathname.includes('/outspend/'))).toHaveLength(coins.length);
});

test('a source that wants fewer requests is not asked more', async () => {
  const calls = stubEsplora(TOGETHER, (path) => (path.endsWith('/outspends') ? { status: 429, body: '' } : null));
  vi.useFakeTimers();
  const failed = expect(statesOf(TOGETHER)).rejects.toMatchObject({ trouble: 'rate-limit' });
  await vi.runAllTimersAsync();
  await failed;
  vi.useRealTimers();
  expect(calls.filter(({ pathname }) => pathname.includes('/outspend/'))).toEqual([]);
});

test('what is stated of an output that does not exist, or wrongly, is found before its spending is asked about', async () => {
  stubEsplora(TOGETHER);
  const [first, second] = TOGETHER as [SpentCoin, SpentCoin];
  expect(await statesOf([first, { ...first, vout: 300 }, { ...second, value_sats: 5 }])).toEqual(['unspent', 'missing', 'differs']);
});

describe('a coin with a relative lock (BIP-0068)', () => {
  const [locked] = TOGETHER as [SpentCoin];
  /** The stub's coins are in block 800,000. */
  const AGE = TIP + 1 - 800_000;

  test.each([
    [AGE, 'unspent'],
    [AGE + 1, 'locked'],
  ])('of %i blocks is %s', async (blocks, state) => {
    stubEsplora([locked]);
    expect(await statesOf([{ ...locked, lock: { blocks } }])).toEqual([state]);
  });

  test.each([
    [5_120, 'unspent'],
    [5_632, 'locked'],
  ])('of %i seconds is %s', async (seconds, state) => {
    const blocks: Record<string, [string, number]> = { 799_999: ['aa'.repeat(32), 1_000_000], [TIP]: ['bb'.repeat(32), 1_005_120] };
    stubEsplora([locked], (path) => {
      const [, height] = /block-height\/(\d+)$/.exec(path) ?? [];
      if (height && blocks[height]) return { body: blocks[height][0] };
      const known = Object.values(blocks).find(([hash]) => path.endsWith(`/block/${hash}`));
      return known ? { body: { mediantime: known[1] } } : null;
    });
    expect(await statesOf([{ ...locked, lock: { seconds } }])).toEqual([state]);
  });

  test.each([
    [144, 2, { blocks: 144 }],
    [0x0040_000a, 2, { seconds: 5_120 }],
    [0x003f_0003, 2, { blocks: 3 }],
    [144, -1, { blocks: 144 }],
    [144, 1, null],
    [0x8000_0090, 2, null],
    [0xffff_fffd, 2, null],
  ])('is read from the sequence %i of version %i', (sequence, version, lock) => expect(relativeLock(sequence, version)).toEqual(lock));
});

test('many coins are asked about, six at a time', async () => {
  const coins = Array.from({ length: 60 }, (_, at) => ({ txid: at.toString(16).padStart(64, '0'), vout: 0, value_sats: 1000 + at, script_pubkey: '51' }));
  const calls = stubEsplora(coins);
  let [under, most] = [0, 0];
  const quick = globalThis.fetch;
  vi.stubGlobal('fetch', async (address: string) => {
    most = Math.max(most, (under += 1));
    await new Promise((resolve) => setImmediate(resolve));
    under -= 1;
    return quick(address);
  });
  const states = new Map<string, CoinState>();
  const genesis = chainFor({ network: 'mainnet' })?.genesis ?? '';
  expect(await askAbout({ source: 'https://node.example', coins, genesis, states, signal: new AbortController().signal, onState: () => {} })).toBe(TIP);
  expect([...states.values()].every((state) => state === 'unspent')).toBe(true);
  expect(most).toBe(6);
  expect(calls).toHaveLength(2 + 120);
});
