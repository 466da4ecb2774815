import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CoinState } from '../../api/esplora';
import { answer } from '../../psbt/read';
import { stubEsplora, TIP } from '../../testing/esplora';
import { chainFor } from '../../lib/chains';
import { askAbout, keyOf } from './coins';
import { verdictOn, type Known, type Verdict } from './judge';
import { agrees, coinsOf, type Evidence, type PublishedProof } from './proof';
import { lettersOf, told as because } from './told';

const ORIGIN = 'https://board.example';
const NOW = Date.parse('2026-12-01T00:00:00Z');

/** Really signed proofs over coins of seven kinds (psbt-wasm/tests/behavior/published). */
const [MESSAGE, TRANSACTION] = ['message', 'transaction'].map((name) => fixture(name)) as [PublishedProof, PublishedProof];

function fixture(name: string): PublishedProof {
  const file = new URL(`../../../../psbt-wasm/tests/node/fixtures/published-${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as PublishedProof;
}

const bytesOf = (proof: Evidence) => new TextEncoder().encode(JSON.stringify(proof));

beforeEach(() => {
  vi.stubGlobal('location', new URL(ORIGIN));
  vi.stubGlobal('navigator', { onLine: true });
});

/** State and words of the step that dates a proof. */
const when = ({ steps }: Verdict) => steps.filter(({ title }) => title === 'When it was signed').map(({ state, found }) => [state, lettersOf(found)]);

/** The final verdict that a visitor reads, when the chain has the coins of the true proof. */
async function told(proof: PublishedProof, { chain = proof, board = proof as Known['board'], origin = ORIGIN, now = NOW, offline = false } = {}): Promise<Verdict> {
  const checked = await answer<'proof'>({ id: 1, task: 'proof', args: [bytesOf(proof), origin, 'mainnet'] });
  const check = checked.ok ? checked.result.check : null;
  if (offline) return verdictOn({ proof, board, origin, check, asked: null, now });
  stubEsplora(coinsOf(chain));
  return verdictOn({ proof, board, origin, check, asked: await asked(proof), now });
}

async function asked(proof: PublishedProof) {
  const states = new Map<string, CoinState>();
  const asking = { source: 'https://node.example/api', coins: coinsOf(proof), genesis: chainFor(proof)?.genesis ?? '', states };
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
  expect(lettersOf(sentence)).toContain('All checks passed: @satoshi signed for 0.00700000 BTC in 7 coins. The coins were unspent at block 900,000, says node.example.');
});

test('what was checked in part is never said to be right', async () => {
  const offline = await told(TRANSACTION, { offline: true });
  expect(offline.state).toBe('open');
  expect(lettersOf(offline.sentence)).toContain('Check the coins to finish.');
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

describe('a file for which no board speaks', () => {
  const nobody = { board: because`This board does not publish this proof.` };

  test.each([
    ['a message', MESSAGE],
    ['a still transaction', TRANSACTION],
  ])('says nothing about the person in %s, even when all coins are there', async (_, proof) => {
    const { state, sentence, steps } = await told(proof, nobody);
    expect(state).toBe('nobody');
    expect(lettersOf(sentence)).toBe('It was signed over 0.00700000 BTC in 7 coins. This board does not publish this proof.');
    expect(steps.map((step) => [step.title, step.state])).toEqual([
      ['Who signed it', 'open'],
      [expect.any(String), 'right'],
      ['Every coin is signed for', 'right'],
      ['Coins unspent, with these amounts', 'right'],
    ]);
    const all = [sentence, ...steps.map(({ found }) => found)].map(lettersOf).join(' ');
    expect(all).not.toMatch(/satoshi|783214|The board counts|2027/);
  });

  test('is false when it contradicts itself', async () => {
    const forged = structuredClone(TRANSACTION);
    forged.statement.subject = '44196397';
    expect((await told(forged, nobody)).state).toBe('false');
    const moved = structuredClone(TRANSACTION);
    moved.transaction = swap(moved.transaction, moved.transaction.length - 1);
    expect((await told(moved, nobody)).state).toBe('false');
  });
});

/** The name of a person without a name of their own (proofs, section 1), computed independently. */
function nameless({ provider, subject }: PublishedProof['statement']): string {
  const fields = [provider, subject].flatMap((field) => [Buffer.from(Uint32Array.of(field.length).buffer).swap32(), Buffer.from(field)]);
  const bits = createHash('sha256').update(Buffer.concat(fields)).digest().toString('hex').replaceAll(/./g, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'));
  const letters = Array.from({ length: 8 }, (_, at) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(bits.slice(5 * at, 5 * at + 5), 2)]);
  return `~${letters.join('')}`;
}

test.each([
  [{ username: 'Satoshi' }, '@satoshi', true],
  [{ username: 'satoshi-nakamoto', provider: 'github' }, 'gh:satoshi-nakamoto', true],
  [{ username: 'user_0190d', named: false }, nameless, true],
  [{ username: 'satoshi-nakamoto', provider: 'github' }, 'gh:satoshi-nakamota', false],
  [{ username: 'satoshi', provider: 'github' }, 'github:satoshi', false],
  [{ username: 'satoshi' }, nameless, false],
  [{ username: 'A Name', provider: 'google' }, nameless, true],
  [{ username: 'A Name', provider: 'google' }, '~abcdefgh', false],
  [{ username: '\u212Aing' }, '@king', false],
  [{ username: 'user_0190d', named: false }, '@user_0190d', false],
  [{ username: 'user_0190d', named: false }, '~abcd', false],
])('whether the board shows %j under the name that was signed: %s, %s', async (shown, signed, is) => {
  const proof = structuredClone(MESSAGE);
  Object.assign(proof.profile, shown);
  proof.statement.provider = proof.profile.provider;
  proof.statement.name = typeof signed === 'string' ? signed : signed(proof.statement);
  const checked = await answer<'proof'>({ id: 1, task: 'proof', args: [bytesOf(proof), ORIGIN, 'mainnet'] });
  expect(checked).toMatchObject({ ok: true, result: { check: { isNamed: is } } });
});

test('a proof is dated by the block that the chain has, and by nothing else', async () => {
  const checked = await answer<'proof'>({ id: 1, task: 'proof', args: [bytesOf(TRANSACTION), ORIGIN, 'mainnet'] });
  if (!checked.ok) throw new Error('not checked');
  const { block } = checked.result.check;
  expect(block).toEqual({ height: 0, hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f', time: 1_231_006_505 });
  const dated = { ...checked.result.check, block: { height: 975_744, hash: block?.hash ?? '', time: 1_795_392_000 } };
  stubEsplora(coinsOf(TRANSACTION));
  const chain = await asked(TRANSACTION);
  const verdict = (dating: string | null | undefined) =>
    verdictOn({ proof: TRANSACTION, board: TRANSACTION, origin: ORIGIN, check: dated, asked: dating === undefined ? null : { ...chain, dating }, now: NOW });
  expect(when(verdict(undefined))).toEqual([['open', 'The block that dates it hasn’t been looked up yet.']]);
  expect(when(verdict(block?.hash))).toEqual([['right', 'Signed after block 975,744 (Nov 23, 2026).']]);
  expect(lettersOf(verdict(block?.hash).sentence)).toContain('in 7 coins, after block 975,744 (Nov 23, 2026). The coins were unspent at block 900,000');
  // A reorganization may have taken it away: that makes no proof false.
  for (const other of ['00'.repeat(32), null]) {
    expect(when(verdict(other))).toEqual([['right', 'Not dated: node.example doesn’t have the block that it names.']]);
    expect(verdict(other).state).toBe('right');
  }
});

/** The verdict on a file about which no board responds. */
async function verdictOnFile(proof: PublishedProof, keys: string[]): Promise<Verdict> {
  const checked = await answer<'proof'>({ id: 1, task: 'proof', args: [bytesOf(proof), ORIGIN, 'mainnet', keys] });
  const check = checked.ok ? checked.result.check : null;
  stubEsplora(coinsOf(proof));
  return verdictOn({ proof, board: ['No board answered.'], origin: ORIGIN, check, asked: await asked(proof), now: NOW });
}

/** A key of a log as the board serves it, and the id that its signatures begin with. */
function keyOfLog(made: KeyObject): { key: string; keyId: Buffer } {
  const raw = Buffer.concat([Buffer.of(1), made.export({ format: 'der', type: 'spki' }).subarray(-32)]);
  const keyId = createHash('sha256').update('board.example/log\n').update(raw).digest().subarray(0, 4);
  return { key: `board.example/log+${keyId.toString('hex')}+${raw.toString('base64')}`, keyId };
}

describe('the note in a file', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { key: KEY, keyId } = keyOfLog(publicKey);
  const { key: OTHER } = keyOfLog(generateKeyPairSync('ed25519').publicKey);

  /** The proof with the note that the board would sign for it. */
  async function noted(proof: PublishedProof): Promise<PublishedProof> {
    const checked = await answer<'proof'>({ id: 1, task: 'proof', args: [bytesOf(proof), ORIGIN, 'mainnet'] });
    if (!checked.ok) throw new Error(checked.message);
    const { block, transactionSha256, previousOutputsSha256 } = checked.result.check;
    const { origin, text: line, provider, subject, account_id: account } = proof.statement;
    const said = {
      network: proof.network,
      origin,
      line,
      provider,
      subject,
      account,
      name: '@famous',
      block: { height: block.height, hash: block.hash },
      transaction_sha256: transactionSha256,
      previous_outputs_sha256: previousOutputsSha256,
    };
    const text = `proof-of-reserves/proof-note/2\n${JSON.stringify(said)}\n`;
    const signature = Buffer.concat([keyId, sign(null, Buffer.from(text), privateKey)]).toString('base64');
    return { ...proof, note: `${text}\n\u2014 board.example/log ${signature}\n` };
  }

  test('names the person, by the current key of the board', async () => {
    const proof = await noted(TRANSACTION);
    expect(lettersOf((await verdictOnFile(proof, [KEY])).sentence)).toContain('The board said that @famous signed it.');
    expect(lettersOf((await verdictOnFile(proof, [])).sentence)).not.toContain('@famous');
    // Replaced since: a thief of the old key could confirm anyone.
    const replaced = await verdictOnFile(proof, [OTHER]);
    expect(replaced.state).toBe('nobody');
    expect(replaced.steps.map(({ found }) => lettersOf(found)).join(' ')).toContain('The board has changed its key since: fetch the file again.');
  });

  // Both fixtures have the same public line; each carries it over other coins than the note is about.
  test.each([
    ['a message', MESSAGE, TRANSACTION],
    ['a still transaction', TRANSACTION, MESSAGE],
  ])('vouches for no coins that another put below the line: %s', async (_, alice, eve) => {
    const { note } = await noted(alice);
    expect(alice.statement).toEqual(eve.statement);
    for (const forged of [{ ...eve, note }, { ...alice, note, transaction: eve.transaction, inputs: eve.inputs, binding: eve.binding }]) {
      const { state, sentence } = await verdictOnFile(forged, [KEY]);
      expect([state, lettersOf(sentence)]).toEqual(['false', expect.stringContaining('The note in the file is not the board’s note on this proof')]);
    }
  });
});

test('a file agrees with the board but for what changes while it is published', () => {
  expect(agrees(JSON.parse(JSON.stringify(MESSAGE, null, 2)), MESSAGE)).toBe(true);
  const later = structuredClone(MESSAGE);
  later.expires_at = '2027-03-01T00:00:00Z';
  for (const input of later.inputs.slice(1)) input.counts = false;
  expect(agrees(later, MESSAGE)).toBe(true);
  const changes: Change[] = [
    (file) => (file.id = '0190d0c2-0000-7000-8000-00000000000b'),
    (file) => (file.network = 'signet'),
    (file) => (file.created_at = '2009-01-03T18:15:05Z'),
    (file) => (file.published_at = '2009-01-03T18:15:05Z'),
    (file) => (file.profile.username = 'famous'),
    (file) => (file.profile.named = false),
    (file) => void Reflect.deleteProperty(file, 'profile'),
    (file) => (file.transaction += '00'),
  ];
  for (const change of [...changes, ...CHANGES.map(([, one]) => one)]) {
    const file = structuredClone(MESSAGE);
    change(file);
    expect(agrees(file, MESSAGE)).toBe(JSON.stringify(file) === JSON.stringify(MESSAGE));
  }
});

test('a copy on another board is false', async () => {
  const { state, sentence } = await told(TRANSACTION, { origin: 'https://copy.example' });
  expect(state).toBe('false');
  expect(lettersOf(sentence)).toContain('It was made for https://board.example, not for https://copy.example');
});

test.each([
  ['spent', { spent: true, status: { confirmed: true } }, 'open', '1 coin of 7 have been spent since'],
  ['about to be spent', { spent: true, status: { confirmed: false } }, 'right', 'An unconfirmed transaction spends 1 coin.'],
] as const)('a coin that is %s', async (_, outspend, state, words) => {
  const [first] = coinsOf(TRANSACTION);
  const checked = await answer<'proof'>({ id: 1, task: 'proof', args: [bytesOf(TRANSACTION), ORIGIN, 'mainnet'] });
  stubEsplora(coinsOf(TRANSACTION), (path) => (path.endsWith(`${first?.txid}/outspend/${first?.vout}`) ? { body: outspend } : null));
  const verdict = verdictOn({ proof: TRANSACTION, board: TRANSACTION, origin: ORIGIN, check: checked.ok ? checked.result.check : null, asked: await asked(TRANSACTION), now: NOW });
  expect(verdict.state).toBe(state);
  expect(verdict.steps.map(({ found }) => lettersOf(found)).join(' ')).toContain(words);
});

type Change = (proof: PublishedProof) => void;

const swap = (hex: string, at: number) => hex.slice(0, at) + ((Number.parseInt(hex[at] ?? '0', 16) + 1) % 16).toString(16) + hex.slice(at + 1);

/** The parts of a file that only the board vouches for: times, its id of the proof, and which coins count. */
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
  ['network', (proof) => (proof.network = 'testnet4')],
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

test('a coin with a relative lock is not shown to be there while it is locked', async () => {
  const states = new Map(coinsOf(MESSAGE).map((coin) => [keyOf(coin), 'locked' as const]));
  const checked = await answer<'proof'>({ id: 1, task: 'proof', args: [bytesOf(MESSAGE), ORIGIN, 'mainnet'] });
  const verdict = verdictOn({ proof: MESSAGE, board: MESSAGE, origin: ORIGIN, check: checked.ok ? checked.result.check : null, asked: { host: 'node.example', states, height: TIP }, now: NOW });
  expect(verdict.state).toBe('open');
  expect(lettersOf(verdict.sentence)).toContain('7 coins of 7 are still locked by age');
});
