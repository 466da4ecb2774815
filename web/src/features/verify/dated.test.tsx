import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { checkPublishedProof, joinProofs, judgeDate, normalizeWords, prepareChecks, ProofReadError, readInstant, readProofFile, searchDate, type CheckedProof } from '../../psbt';
import { answerOnBlocks, blockOf, stubEsplora } from '../../testing/esplora';
import { realTask } from '../../testing/package';
import { open } from '../../testing/render';
import { coinsOf, type Evidence } from './proof';
import { VerifyPage } from './verify-page';

// jsdom has no workers: the package does its tasks here. Signatures are checked in judge-reader.test.ts.
vi.mock(import('../../psbt'), { spy: true });
// Nor does it fetch files.
// oxlint-disable-next-line no-restricted-imports -- the package itself is what the tasks need here
vi.mock(import('psbt-wasm/bundler'), async () => {
  const reader = await import('psbt-wasm/sync');
  await reader.loadTools((await import('node:fs')).readFileSync(`${process.cwd()}/../psbt-wasm/pkg/psbt_wasm_tools_bg.wasm`));
  return { ...reader, init: async () => {} };
});
vi.setConfig({ testTimeout: 30_000 });

const TEXT = readFileSync(`${process.cwd()}/../psbt-wasm/tests/node/fixtures/reader-transaction.json`, 'utf8');
const PROOF = JSON.parse(TEXT) as Evidence;
const WORDS = 'Acme Bank, loan 4711 k3v9q2';
const DATING = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
/** The block of the proof is 977,455. */
const TIP = 980_000;

const CHECKED = {
  check: {
    complete: true,
    statement: null,
    carrier: null,
    further: null,
    conditions: PROOF.inputs.map((_, at) => (at === 0 ? { needed: 2, of: 3, signed: [1, 2, 3], lockTime: null, sequence: null, hidden: false } : null)),
    amountSats: 700_000n,
    block: { height: 977_455, hash: DATING, time: 1_231_006_505 },
    inputs: PROOF.inputs.map(() => ({ status: 'valid', reason: null, message: null, needed: 1, signatures: [] })),
  },
  report: { inputs: PROOF.inputs.map(({ txid }) => ({ address: `bc1q${txid.slice(0, 8)}` })) },
} as unknown as CheckedProof;

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://board.example'));
  vi.mocked(readProofFile).mockImplementation(async (file) => {
    const text = new TextDecoder().decode(file);
    if (!text.includes('"txid"')) throw new ProofReadError('', 'malformed-proof');
    return JSON.parse(text) as Evidence;
  });
  vi.mocked(checkPublishedProof).mockResolvedValue(CHECKED);
  vi.mocked(prepareChecks).mockResolvedValue(true);
  vi.mocked(normalizeWords).mockImplementation(realTask('words'));
  vi.mocked(readInstant).mockImplementation(realTask('instant'));
  vi.mocked(searchDate).mockImplementation(realTask('searchDate'));
  vi.mocked(judgeDate).mockImplementation(realTask('judgeDate'));
  vi.mocked(joinProofs).mockImplementation(realTask('join'));
});

type Change = Parameters<typeof stubEsplora>[1];

/** A chain that has the proof's block, on which all coins were received long ago. */
const serve = (change: Change = () => null, coins = coinsOf(PROOF)) =>
  stubEsplora(coins, (path) => change(path) ?? (path.endsWith('/block-height/977455') ? { body: DATING } : answerOnBlocks(path, TIP)));

/** A private proof over some of the coins. */
function fileOf(name: string, { change = {}, coins = coinsOf(PROOF) }: { change?: Partial<Evidence['statement']>; coins?: Evidence['inputs'] } = {}): File {
  return new File([JSON.stringify({ ...PROOF, inputs: coins, statement: { ...PROOF.statement, ...change } })], name, { type: 'application/json' });
}

async function bring(...files: File[]) {
  open(<VerifyPage address={new URL('https://board.example/verify')} />);
  await userEvent.upload(screen.getByLabelText('Choose or drop a proof or a receipt'), files);
}

async function compare(words = WORDS) {
  await userEvent.type(await screen.findByLabelText('Your request'), words);
  await userEvent.click(screen.getByRole('button', { name: 'Compare' }));
}

/** Asks about an instant: a block's time, in UTC. */
async function askAt(height: number) {
  const [day = '', time = ''] = new Date(blockOf(height).timestamp * 1000).toISOString().slice(0, 19).split('T');
  await userEvent.click(screen.getByRole('button', { name: 'As of a date' }));
  await userEvent.type(await screen.findByLabelText('Day'), day);
  await userEvent.clear(screen.getByLabelText(/^Time,/));
  await userEvent.type(screen.getByLabelText(/^Time,/), time);
  await userEvent.selectOptions(screen.getByLabelText('Time zone'), 'UTC');
  await check();
}

const check = () => userEvent.click(screen.getByRole('button', { name: /^(Check the coins|Check again|Continue)$/ }));

const status = async (title: string | RegExp) => (await screen.findByText(title)).closest('div')!;

test('coins that stood at the date are a sum that is “at least”, with both blocks and the time zone', async () => {
  const asked = serve();
  await bring(fileOf('proof.json'));
  await compare();
  await askAt(978_000);
  const box = await status('This proof is for you, and it is right');
  expect(box).toHaveTextContent(/At least 0\.00700000 BTC in 7 coins stood at [-\d]+ [:\d]+ UTC, says blockstream\.info/);
  const card = (await screen.findByText('At the date')).closest('section')!;
  // The block's own time is the instant; its median time past is 3,000 s before that of its time.
  expect(card).toHaveTextContent(/Received up to\s*block 978,000 .*Spent in no block up to\s*block 978,005/);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Private proof of at least 0.007 BTC');
  expect(document.body).not.toHaveTextContent(/balance/i);
  // The search asks for headers only.
  expect(asked.filter(({ pathname }) => /\/block\/[0-9a-f]{64}\/(raw|txs|txids)/.test(pathname))).toEqual([]);
  await userEvent.click(screen.getByText('What was checked'));
  expect(screen.getByText(/Keys 1, 2 and 3 of 3 signed; 2 are needed\./)).toBeInTheDocument();
});

test('a date needs its time zone, and one that clocks skip is refused before a source is asked', async () => {
  const asked = serve();
  await bring(fileOf('proof.json'));
  await screen.findByLabelText('Your request');
  await userEvent.click(screen.getByRole('button', { name: 'As of a date' }));
  await userEvent.type(await screen.findByLabelText('Day'), '2026-03-29');
  await check();
  expect(screen.getByRole('alert')).toHaveTextContent('Choose the time zone');
  await userEvent.clear(screen.getByLabelText(/^Time,/));
  await userEvent.type(screen.getByLabelText(/^Time,/), '02:30');
  await userEvent.selectOptions(screen.getByLabelText('Time zone'), 'Europe/Berlin');
  await check();
  expect(screen.getByRole('alert')).toHaveTextContent('Clocks in Europe/Berlin skip this time');
  expect(asked).toEqual([]);
});

test('a date with fewer than six blocks after it is “not yet”', async () => {
  serve();
  await bring(fileOf('proof.json'));
  await compare();
  await askAt(TIP - 8);
  expect(await status(/checks passed in your browser/)).toHaveTextContent(/Not yet: .* needs six blocks after it\. Check again later\./);
  expect(screen.queryByText('This proof is for you, and it is right')).toBeNull();
});

const [first] = coinsOf(PROOF);
const spent = (block_height?: number): Change => (path) => (path.includes(`${first?.txid}/outspend`) ? { body: path.endsWith('s') ? [{ spent: true, status: { confirmed: true, block_height } }] : { spent: true, status: { confirmed: true, block_height } } } : null);

test('a coin that was spent since is listed, and not in the sum', async () => {
  serve(spent(979_000));
  await bring(fileOf('proof.json'));
  await compare();
  await askAt(978_000);
  expect(await status('This proof is for you, and it is right')).toHaveTextContent(/At least 0\.00\d+ BTC in 6 coins stood .* 1 other coin is not in this sum/);
  expect(await screen.findByText('Stood, spent since')).toBeInTheDocument();
  expect((await screen.findByText('At the date')).closest('section')).toHaveTextContent(/Spent since.*the signature may be later\. Not in the sum\./);
});

test('a coin spent before its signature could be made does not count, and a source that cannot say when leaves it open', async () => {
  serve(spent(977_455));
  await bring(fileOf('proof.json'));
  await compare();
  await askAt(977_000);
  expect(await status('This proof is for you, and it is right')).toHaveTextContent('1 other coin is not in this sum');
  expect(screen.getByText('Spent before the signature')).toBeInTheDocument();
  serve(spent());
  await check();
  expect(await status(/checks passed in your browser/)).toHaveTextContent('can’t say when some coins were spent');
});

test('two sources that contradict each other are never right', async () => {
  serve();
  await bring(fileOf('proof.json'));
  await compare();
  await askAt(978_000);
  await status('This proof is for you, and it is right');
  serve(spent(977_900));
  await userEvent.selectOptions(screen.getByLabelText('Block explorer'), 'mempool.space');
  await check();
  expect(await status(/checks passed in your browser/)).toHaveTextContent('mempool.space and blockstream.info contradict each other');
});

test('a reorganization of the date’s blocks while coins are asked about starts over', async () => {
  let asks = 0;
  serve((path) => (path.endsWith('/block-height/978005') && (asks += 1) === 1 ? { body: 'ff'.repeat(32) } : null));
  await bring(fileOf('proof.json'));
  await compare();
  await askAt(978_000);
  await status('This proof is for you, and it is right');
  expect(asks).toBe(2);
});

test('several files for one request have one sum, and the report has the SHA-256 of each', async () => {
  serve();
  const coins = coinsOf(PROOF);
  vi.mocked(checkPublishedProof).mockResolvedValue({ ...CHECKED, check: { ...CHECKED.check, amountSats: 1n } });
  await bring(fileOf('b.json', { coins: coins.slice(3) }), fileOf('a.json', { coins: coins.slice(0, 3) }));
  expect(await screen.findByText('Are these proofs for you?')).toBeInTheDocument();
  await compare();
  await check();
  const box = await status('These proofs are for you, and they are right');
  expect(box).toHaveTextContent('At least 0.00700000 BTC in 7 coins.');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('2 private proofs of at least 0.007 BTC');
  await userEvent.click(screen.getByRole('button', { name: 'Make the report' }));
  const report = await screen.findByRole('article', { name: 'Report' });
  for (const file of [fileOf('b.json', { coins: coins.slice(3) }), fileOf('a.json', { coins: coins.slice(0, 3) })]) {
    expect(report).toHaveTextContent(createHash('sha256').update(new Uint8Array(await file.arrayBuffer())).digest('hex'));
  }
  expect(report).toHaveTextContent('npx psbt-wasm verify b.json a.json');
  expect(report).toHaveTextContent('At least0.00700000 BTC');
});

test('two names have two sums, and one over both only for one client', async () => {
  serve();
  const coins = coinsOf(PROOF);
  await bring(fileOf('a.json', { coins: coins.slice(0, 3) }), fileOf('b.json', { coins: coins.slice(3), change: { name: 'Jo', account_id: 'Jo' } }));
  await compare();
  await check();
  expect(await status('These proofs are for you, and they are right')).toHaveTextContent(/“Mira Kowal”: at least .* in 3 coins\. “Jo”: at least .* in 4 coins\./);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^2 private proofs$/);
  await userEvent.click(screen.getByRole('checkbox'));
  expect(await screen.findByRole('heading', { level: 1, name: '2 private proofs of at least 0.007 BTC' })).toBeInTheDocument();
});

test.each<[string, () => File[], RegExp]>([
  ['another request', () => [fileOf('a.json', { coins: coinsOf(PROOF).slice(0, 3) }), fileOf('b.json', { coins: coinsOf(PROOF).slice(3), change: { subject: 'Other Bank' } })], /One of these proofs is not for you|different requests/],
  ['the same file', () => [fileOf('a.json'), fileOf('b.json')], /The same file is here twice/],
  ['the same coin', () => [fileOf('a.json'), fileOf('b.json', { change: { nonce: '08'.repeat(16) } })], /Two files name the same coin/],
  ['no proof', () => [fileOf('a.json'), new File(['{}'], 'b.json')], /One of these files is no private proof/],
])('with %s among them the sum is not shown as right', async (_, files, title) => {
  serve();
  await bring(...files());
  await compare();
  await check();
  expect(await screen.findByText(title)).toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1 })).not.toHaveTextContent('BTC');
  expect(screen.queryByText('These proofs are for you, and they are right')).toBeNull();
});

test('one false file among right ones makes all of it false, and without it the rest is right', async () => {
  serve();
  const coins = coinsOf(PROOF);
  vi.mocked(checkPublishedProof).mockImplementation(async (file) => {
    const isFalse = new TextDecoder().decode(file).includes(coins[0]?.txid ?? '');
    return isFalse ? { ...CHECKED, check: { ...CHECKED.check, complete: false, further: 'other-key' } } : CHECKED;
  });
  await bring(fileOf('wrong.json', { coins: coins.slice(0, 1) }), fileOf('right.json', { coins: coins.slice(1) }));
  await compare();
  await check();
  expect(await status('One of these proofs is false')).toHaveTextContent('wrong.json: A further signature is by a key that is not in the coin’s script. There is no sum.');
  await userEvent.click(screen.getByRole('button', { name: 'Remove wrong.json' }));
  await check();
  expect(await screen.findByText('This proof is for you, and it is right')).toBeInTheDocument();
});

test('files can be added one after the other, at most 20, and the request stays typed', async () => {
  serve();
  const coins = coinsOf(PROOF);
  await bring(fileOf('a.json', { coins: coins.slice(0, 3) }));
  await compare();
  await userEvent.upload(screen.getByLabelText('Choose or drop a proof or a receipt'), fileOf('b.json', { coins: coins.slice(3) }));
  expect(await screen.findByText('2 private proofs')).toBeInTheDocument();
  expect(screen.getByLabelText('Your request')).toHaveValue(WORDS);
  await userEvent.upload(screen.getByLabelText('Choose or drop a proof or a receipt'), Array.from({ length: 19 }, (_, at) => fileOf(`${at}.json`)));
  expect(await screen.findByText(/^At most 20 files/)).toBeInTheDocument();
  expect(within(screen.getByText('The files').closest('section')!).getAllByRole('button', { name: /^Remove/ })).toHaveLength(2);
});
