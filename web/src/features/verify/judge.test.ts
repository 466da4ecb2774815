import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CoinState } from '../../api/esplora';
import { answer } from '../../psbt/read';
import { stubEsplora, TIP } from '../../testing/esplora';
import { askAbout } from './coins';
import { verdictOn, type Verdict } from './judge';
import { chainFor, coinsOf, proofIn, type PublishedProof } from './proof';
import { lettersOf } from './told';

const ORIGIN = 'https://board.example';
const NOW = Date.parse('2026-12-01T00:00:00Z');

/** Really signed proofs over coins of seven kinds (psbt-wasm/tests/published). */
const [MESSAGE, TRANSACTION] = ['message', 'transaction'].map((name) => fixture(name)) as [PublishedProof, PublishedProof];

function fixture(name: string): PublishedProof {
  const file = new URL(`../../../../psbt-wasm/tests/node/fixtures/published-${name}.json`, import.meta.url);
  const proof = proofIn(JSON.parse(readFileSync(file, 'utf8')));
  if (!proof) throw new Error('no proof');
  return proof;
}

beforeEach(() => {
  vi.stubGlobal('location', new URL(ORIGIN));
  vi.stubGlobal('navigator', { onLine: true });
});

/** What a visitor of the board is told in the end, when the chain is the one of the true proof. */
async function told(proof: PublishedProof, { chain = proof, origin = ORIGIN, now = NOW, offline = false } = {}): Promise<Verdict> {
  const checked = await answer<'proof'>({ id: 1, task: 'proof', proof, origin, network: 'mainnet' });
  const check = checked.ok ? checked.result.check : null;
  if (offline) return verdictOn({ proof, origin, check, asked: null, now });
  stubEsplora(coinsOf(chain));
  return verdictOn({ proof, origin, check, asked: await asked(proof), now });
}

async function asked(proof: PublishedProof) {
  const states = new Map<string, CoinState>();
  const asking = { source: 'https://node.example/api', coins: coinsOf(proof), genesis: chainFor(proof)?.genesis ?? [], states };
  const height = await askAbout({ ...asking, signal: new AbortController().signal, onState: () => {} }).catch(() => null);
  return { host: 'node.example', states, height };
}

test.each([
  ['a message', MESSAGE],
  ['a still transaction', TRANSACTION],
])('%s over coins of every kind is right', async (_, proof) => {
  const { state, sentence, steps } = await told(proof);
  expect(steps.filter((step) => step.state !== 'right')).toEqual([]);
  expect(state).toBe('right');
  expect(lettersOf(sentence)).toContain('@satoshi has signed for 0.00700000 BTC in 7 coins, unspent at block 900,000 as node.example says');
});

test('what was checked in part is never said to be right', async () => {
  const offline = await told(TRANSACTION, { offline: true });
  expect(offline.state).toBe('open');
  expect(lettersOf(offline.sentence)).toContain('No chain source has been asked');
  expect(offline.steps.filter(({ state }) => state === 'open')).toHaveLength(1);
  expect((await told(TRANSACTION, { now: Date.parse(TRANSACTION.expires_at) })).state).toBe('open');
});

test('a name that the board has made up since stands bare, and is no name of the provider', async () => {
  const lost = structuredClone(MESSAGE);
  Object.assign(lost.profile, { username: 'user_0190d', named: false });
  const { state, steps } = await told(lost);
  expect(state).toBe('open');
  expect(steps.map(({ found }) => lettersOf(found)).join(' ')).toContain('shows it as user_0190d:');
});

test('a copy on another board is false', async () => {
  const { state, sentence } = await told(TRANSACTION, { origin: 'https://copy.example' });
  expect(state).toBe('false');
  expect(lettersOf(sentence)).toContain('made for https://board.example and not for https://copy.example');
});

test.each([
  ['spent', { spent: true, status: { confirmed: true } }, 'open', '1 coin of 7 have been spent since'],
  ['about to be spent', { spent: true, status: { confirmed: false } }, 'right', 'The spending of 1 coin waits for a block'],
] as const)('a coin that is %s', async (_, outspend, state, words) => {
  const [first] = coinsOf(TRANSACTION);
  const checked = await answer<'proof'>({ id: 1, task: 'proof', proof: TRANSACTION, origin: ORIGIN, network: 'mainnet' });
  stubEsplora(coinsOf(TRANSACTION), (path) => (path.endsWith(`${first?.txid}/outspend/${first?.vout}`) ? { body: outspend } : null));
  const verdict = verdictOn({ proof: TRANSACTION, origin: ORIGIN, check: checked.ok ? checked.result.check : null, asked: await asked(TRANSACTION), now: NOW });
  expect(verdict.state).toBe(state);
  expect(verdict.steps.map(({ found }) => lettersOf(found)).join(' ')).toContain(words);
});

type Change = (proof: PublishedProof) => void;

const swap = (hex: string, at: number) => hex.slice(0, at) + ((Number.parseInt(hex[at] ?? '0', 16) + 1) % 16).toString(16) + hex.slice(at + 1);

/** What the board says beside the evidence: moments, its own id of the proof, and what of it counts. */
const CHANGES: [string, Change][] = [
  ['origin', (proof) => (proof.statement.origin = 'https://copy.example')],
  ['provider', (proof) => (proof.statement.provider = 'github')],
  ['subject', (proof) => (proof.statement.subject += '0')],
  ['account', (proof) => (proof.statement.account_id = proof.statement.account_id.replace('1', '2'))],
  ['nonce', (proof) => (proof.statement.nonce = swap(proof.statement.nonce, 5))],
  ['short nonce', (proof) => (proof.statement.nonce = proof.statement.nonce.slice(2))],
  ['name in the statement', (proof) => (proof.statement.text = proof.statement.text.replace('@satoshi', '@hal'))],
  ['site in the statement', (proof) => (proof.statement.text = proof.statement.text.replace('board.', 'copy.'))],
  ['code in the statement', (proof) => (proof.statement.text = `${proof.statement.text.slice(0, -1)}a`)],
  ['person on the board', (proof) => (proof.profile.id = '0190d0c2-0000-7000-8000-000000000009')],
  ['name on the board', (proof) => (proof.profile.username = '@hal')],
  ['provider on the board', (proof) => (proof.profile.provider = 'google')],
  ['carrier', (proof) => (proof.binding = proof.binding === 'message' ? 'transaction' : 'message')],
  ['network', (proof) => (proof.network = 'testnet')],
  ['no coins', (proof) => (proof.inputs = [])],
  ['a coin less', (proof) => void proof.inputs.pop()],
  ['a coin twice', (proof) => void proof.inputs.push(...proof.inputs.slice(-1))],
  ['another order', (proof) => (proof.inputs = proof.inputs.toReversed())],
  ...[0, 1, 2, 3, 4, 5, 6].flatMap((at): [string, Change][] => [
    [`txid ${at}`, ({ inputs }) => inputs[at] && (inputs[at].txid = swap(inputs[at].txid, 9 * at))],
    [`vout ${at}`, ({ inputs }) => inputs[at] && (inputs[at].vout += 1)],
    [`value ${at}`, ({ inputs }) => inputs[at] && (inputs[at].value_sats += 1)],
    [`script ${at}`, ({ inputs }) => inputs[at] && (inputs[at].script_pubkey = swap(inputs[at].script_pubkey, 8 + at))],
  ]),
  ...Array.from({ length: 40 }, (_, place): [string, Change] => [
    `transaction ${place}`,
    (proof) => (proof.transaction = swap(proof.transaction, Math.floor((place * proof.transaction.length) / 40))),
  ]),
];

describe('no proof that was changed is said to be right', () => {
  test.each(CHANGES)('%s', async (_, change) => {
    for (const whole of [MESSAGE, TRANSACTION]) {
      const proof = structuredClone(whole);
      change(proof);
      expect((await told(proof, { chain: whole })).state).not.toBe('right');
    }
  });

  test('a hundred at least', () => expect(CHANGES.length * 2).toBeGreaterThanOrEqual(100));
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
  const genesis = chainFor({ network: 'mainnet' })?.genesis ?? [];
  expect(await askAbout({ source: 'https://node.example', coins, genesis, states, signal: new AbortController().signal, onState: () => {} })).toBe(TIP);
  expect([...states.values()].every((state) => state === 'unspent')).toBe(true);
  expect(most).toBe(6);
  expect(calls).toHaveLength(2 + 120);
});
