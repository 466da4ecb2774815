import { readFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import { EXAMPLE_REQUEST } from '../../lib/example-request';
import type { Network } from '../../psbt';
import { answer } from '../../psbt/read';
import { keyOf } from './coins';
import type { Asked } from './judge';
import { verdictOn } from './judge';
import { differenceOf, readerTitle, readerVerdict } from './judge-reader';
import { coinsOf, isForReader, type Evidence } from './proof';
import { lettersOf, told } from './told';

const WORDS = 'Acme Bank, loan 4711 k3v9q2';

/** Really signed proofs for one reader over coins of seven kinds (psbt-wasm/tests/behavior/published). */
function fixture(name: string): Evidence {
  const file = new URL(`../../../../psbt-wasm/tests/node/fixtures/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Evidence;
}
const bytesOf = (proof: Evidence) => new TextEncoder().encode(JSON.stringify(proof));
const PROOFS = ['reader-message', 'reader-transaction'].map(fixture);
const PROOF = PROOFS[1] as Evidence;
/** The block that the fixtures name, at a height of their own. */
const DATING = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
const HEIGHT = 977_455;

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://board.example'));
});

async function verdictFor(proof: Evidence, words: string | null, asked: Asked | null = chain(proof), network: Network = 'mainnet') {
  const checked = await answer<'proof'>({ id: 1, task: 'proof', args: [bytesOf(proof), proof.statement.origin, network] });
  const check = checked.ok ? checked.result.check : null;
  return readerVerdict({ proof, board: told``, origin: 'https://board.example', check, asked, now: 0, words });
}

/** A chain in which all coins are unspent. */
const chain = (proof: Evidence, change: Partial<Asked> = {}): Asked => ({
  host: 'node.example',
  states: new Map(coinsOf(proof).map((coin) => [keyOf(coin), 'unspent' as const])),
  height: HEIGHT + 100,
  dating: DATING,
  ...change,
});

const normal = async (text: string) => {
  const words = await answer<'words'>({ id: 2, task: 'words', args: [text] });
  return words.ok ? words.result : null;
};

test.each(PROOFS.map((proof) => [proof.binding, proof] as const))('a %s is right with the words, the block and the coins', async (_, proof) => {
  expect(isForReader(proof)).toBe(true);
  const words = (await normal(`  Acme\u00a0Bank,\n loan 4711   k3v9q2 `))?.text ?? '';
  const verdict = await verdictFor(proof, words);
  expect(verdict.state).toBe('right');
  expect(lettersOf(verdict.sentence)).toMatch(/^Signed for 0\.00700000 BTC in 7 coins, after block 977,455 \(Jan 3, 2009\)\. The coins were unspent at block 977,555, says node\.example\.$/);
  expect(readerTitle(verdict, words, proof.statement.subject)).toBe('This proof is for you, and it is right');
});

test('it is never right without the words', async () => {
  const verdict = await verdictFor(PROOF, null);
  expect(verdict.state).toBe('open');
  expect(readerTitle(verdict, null, WORDS)).toBe('Is this proof for you?');
});

test.each([
  ['a look-alike', '\u0410cme Bank, loan 4711 k3v9q2', '“A” (U+0041)', '“А” (U+0410)'],
  ['another case', 'Acme bank, loan 4711 k3v9q2', '“B” (U+0042)', '“b” (U+0062)'],
  ['a space less', 'AcmeBank, loan 4711 k3v9q2', '“ ” (U+0020)', '“B” (U+0042)'],
  ['a relayed challenge', 'Other Bank, deal 1 zzzzzz', '“A” (U+0041)', '“O” (U+004F)'],
  ['another loan', 'Acme Bank, loan 4711 k3v9q', '“2” (U+0032)', 'nothing'],
])('%s in the words is false, and the place is shown', async (_, words, theirs, own) => {
  const verdict = await verdictFor(PROOF, words);
  expect(verdict.state).toBe('false');
  expect(readerTitle(verdict, words, WORDS)).toBe('This proof is not for you');
  expect(differenceOf(WORDS, words)).toEqual({ theirs, own });
});

test('hidden characters are refused, and mixed alphabets are named', async () => {
  expect(await normal('Acme\ufffc Bank')).toBeNull();
  expect(await normal('Acme\u200b Bank')).toBeNull();
  expect((await normal('\u0410cme Bank'))?.mixed).toEqual(['\u0410cme']);
});

test('a changed file is false, whatever words are typed', async () => {
  const { statement } = PROOF;
  for (const change of [
    { subject: 'Other Bank' },
    { name: 'Eve' },
    { account_id: 'Eve' },
    { block: { height: HEIGHT, header: `${'00'.repeat(79)}01` } },
    { text: statement.text.replace('acme', 'evil') },
  ]) {
    const changed = { ...PROOF, statement: { ...statement, ...change } } as Evidence;
    expect((await verdictFor(changed, changed.statement.subject)).state).toBe('false');
  }
});

test.each([
  ['no chain was asked', null, /Its block hasn’t been looked up yet/],
  ['its block is not in the chain', { dating: 'ab'.repeat(32) }, /Not dated: node\.example doesn’t have the block/],
  ['it is old', { height: HEIGHT + 4_033 }, /Old: signed after block 977,455 .* which was 4,033 blocks ago/],
  ['it is too new', { height: HEIGHT + 5 }, /Too new: its block has 5 of 6 blocks above it/],
  ['its block is above the tip', { height: HEIGHT - 1 }, /Too new: its block has -1 of 6/],
  ['coins were spent', { states: new Map(coinsOf(PROOF).map((coin) => [keyOf(coin), 'spent' as const])) }, /7 coins of 7 have been spent since/],
])('it is not right when %s', async (_, change, words) => {
  const verdict = await verdictFor(PROOF, WORDS, change && chain(PROOF, change));
  expect(verdict.state).toBe('open');
  expect(lettersOf(verdict.sentence)).toMatch(words);
  for (const above of [6, 4_032]) expect((await verdictFor(PROOF, WORDS, chain(PROOF, { height: HEIGHT + above }))).state).toBe('right');
});

test('the first block of the chain dates nothing, so it is not right', async () => {
  const { statement } = PROOF;
  const first = { ...PROOF, statement: { ...statement, block: { height: 0, header: statement.block.header } } };
  const verdict = await verdictFor(first, WORDS);
  expect([verdict.state, lettersOf(verdict.sentence)]).toEqual(['open', expect.stringContaining('Not dated')]);
});

test('the same file about another network is false', async () => {
  expect((await verdictFor({ ...PROOF, network: 'regtest' }, WORDS)).state).toBe('false');
});

test('a proof of a board is not for a reader, and one for a reader is not right on a board', async () => {
  const board = fixture('published-transaction');
  expect(isForReader(board)).toBe(false);
  const asReader = { ...board, statement: { ...board.statement, origin: 'reader', provider: 'reader' } };
  expect((await verdictFor(asReader, board.statement.subject)).state).toBe('false');
  const checked = await answer<'proof'>({ id: 1, task: 'proof', args: [bytesOf(PROOF), 'https://board.example', 'mainnet'] });
  if (!checked.ok) throw new Error('unread');
  const verdict = verdictOn({ proof: PROOF, board: told``, origin: 'https://board.example', check: checked.result.check, asked: chain(PROOF), now: 0 });
  expect(verdict.state).toBe('false');
});

/** The example of the guide: two coins of 2 of 3 keys, which all signed. */
const EXAMPLE = JSON.parse(readFileSync(new URL('example.json', import.meta.url), 'utf8')) as Evidence;
const signatureStep = async (proof: Evidence) => {
  const { state, steps } = await verdictFor(proof, EXAMPLE_REQUEST, chain(proof), 'regtest');
  return [state, steps.filter(({ title }) => title === 'Every coin is signed for').map(({ found }) => lettersOf(found))];
};

test('the example of the guide is right for its request, and every key is shown', async () => {
  expect(await signatureStep(EXAMPLE)).toEqual(['right', ['The signatures of all 2 inputs are valid. Keys 1, 2 and 3 of 3 signed; 2 are needed.']]);
  const { further_signatures: _, ...needed } = EXAMPLE;
  expect(await signatureStep(needed as Evidence)).toEqual(['right', [expect.stringMatching(/Keys \d and \d of 3 signed; 2 are needed\.$/)]]);
});

test('a further signature that is wrong makes the file false', async () => {
  const [first, second] = EXAMPLE.further_signatures ?? [];
  if (!first || !second) throw new Error('the example has no further signatures');
  const wrong = async (further: (typeof first)[]) => signatureStep({ ...EXAMPLE, further_signatures: further });
  expect(await wrong([first, first])).toEqual(['false', ['A key signed twice for the same coin.']]);
  expect(await wrong([{ ...first, signature: second.signature }])).toEqual(['false', ['A further signature is not valid for its coin and key.']]);
  expect(await wrong([{ ...first, public_key: `02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}` }])).toEqual(['false', ['A further signature is by a key that is not in the coin’s script.']]);
});
