import { readFileSync } from 'node:fs';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { checkPublishedProof, prepareChecks, ProofReadError, readProofFile, type CheckedProof } from '../../psbt';
import { checkReceipt } from '../../lib/board-log/receipt';
import { stubEsplora } from '../../testing/esplora';
import { open } from '../../testing/render';
import { coinsOf, type Evidence, type PublishedProof } from './proof';
import { VerifyPage } from './verify-page';

// jsdom has no workers; judge.test.ts checks real proofs with the package.
vi.mock(import('../../psbt'), { spy: true });
vi.mock(import('../../lib/board-log/receipt'), { spy: true });

// Queries by role are slow in jsdom on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const ORIGIN = 'https://board.example';
const PROOF = JSON.parse(readFileSync(`${process.cwd()}/../psbt-wasm/tests/node/fixtures/published-message.json`, 'utf8')) as PublishedProof;

const CHECKED = {
  check: {
    complete: true,
    statement: null,
    carrier: null,
    isNamed: true,
    note: { is: 'none' },
    block: { height: 0, hash: '', time: 0 },
    amountSats: 700_000n,
    inputs: PROOF.inputs.map(() => ({ status: 'valid', reason: null, message: null, needed: 1, signatures: [] })),
  },
  report: { inputs: PROOF.inputs.map(({ txid }) => ({ address: `bc1q${txid.slice(0, 8)}` })) },
} as unknown as CheckedProof;

beforeEach(() => {
  vi.stubGlobal('location', new URL(ORIGIN));
  vi.mocked(readProofFile).mockImplementation(async (file) => {
    const text = new TextDecoder().decode(file);
    if (!text.includes('"txid"')) throw new ProofReadError('', 'malformed-proof');
    return JSON.parse(text) as Evidence;
  });
  vi.mocked(checkPublishedProof).mockResolvedValue(CHECKED);
  vi.mocked(prepareChecks).mockReset().mockResolvedValue(true);
});

const show = (path: string) => open(<VerifyPage address={new URL(path, ORIGIN)} />);

/** A board with these proofs, and a chain on which their coins are unspent. */
function serve(proofs: PublishedProof[], change: Parameters<typeof stubEsplora>[1] = () => null) {
  const chain = stubEsplora(proofs.flatMap(coinsOf), change);
  const source = globalThis.fetch as unknown as (address: string) => Promise<Response>;
  vi.stubGlobal('fetch', async (address: string) => {
    if (!address.startsWith('/')) return source(address);
    const found = proofs.find(({ id }) => address.endsWith(`/proofs/${id}`));
    if (found) return Response.json(found);
    if (!address.includes('/proofs?')) return Response.json({}, { status: 404 });
    return Response.json({ proofs: proofs.map(({ id, profile }) => ({ ...profile, id, profile_id: profile.id, amount_sats: 700_000, published_at: PROOF.published_at })), next: null });
  });
  return chain;
}

test('a proof is checked at once as far as it goes, and is right once the chain has been asked', async () => {
  const asked = serve([PROOF]);
  show(`/verify/${PROOF.id}`);
  expect(await screen.findByText('5 of 6 checks passed in your browser')).toBeInTheDocument();
  expect(asked).toEqual([]);
  expect(screen.getByLabelText('Block explorer')).toHaveDisplayValue('blockstream.info');
  await userEvent.selectOptions(screen.getByLabelText('Block explorer'), 'mempool.space');
  await userEvent.click(screen.getByRole('button', { name: 'Check the coins' }));
  expect(await screen.findByText('This proof is right')).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent(/All checks passed: @satoshi signed for 0.00700000 BTC in 7 coins. The coins were unspent at block 900,000, says mempool.space/);
  expect(new Set(asked.map(({ host }) => host))).toEqual(new Set(['mempool.space']));
  expect(screen.getAllByText('Unspent')).toHaveLength(7);
  const steps = screen.getByText('What was checked').closest('details')!;
  expect(within(steps).getAllByText('Right.')).toHaveLength(6);
});

test('the heading says who proved how much, and below the button all is folded', async () => {
  serve([PROOF]);
  show(`/verify/${PROOF.id}`);
  expect(await screen.findByRole('heading', { level: 1, name: '@satoshi proved 0.007 BTC' })).toBeInTheDocument();
  for (const folded of ['What was checked', 'The coins', 'Who signed, and the file', 'What no proof shows']) expect(screen.getByText(folded).closest('details')).not.toHaveAttribute('open');
});

test('a typed source is remembered', async () => {
  serve([PROOF]);
  const { unmount } = show(`/verify/${PROOF.id}`);
  await userEvent.selectOptions(await screen.findByLabelText('Block explorer'), 'Your own Esplora server');
  await userEvent.click(screen.getByRole('button', { name: 'Check the coins' }));
  expect(screen.getByRole('alert')).toHaveTextContent('Type the whole address');
  await userEvent.click(screen.getByLabelText('Address'));
  await userEvent.paste('http://127.0.0.1:3000/');
  await userEvent.click(screen.getByRole('button', { name: 'Check the coins' }));
  expect(await screen.findByText('This proof is right')).toBeInTheDocument();
  unmount();
  show(`/verify/${PROOF.id}`);
  expect(await screen.findByLabelText('Address')).toHaveValue('http://127.0.0.1:3000');
});

test('what blocks a source is named, and what it has said stays', async () => {
  const last = coinsOf(PROOF)[0];
  let limited = true;
  const asked = serve([PROOF], (path) => (limited && path.includes(`${last?.txid}/outspend`) ? { status: 503, body: '' } : null));
  show(`/verify/${PROOF.id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Check the coins' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('blockstream.info answered with status 503');
  expect(screen.getByText('5 of 6 checks passed in your browser')).toBeInTheDocument();
  limited = false;
  const before = asked.length;
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('This proof is right')).toBeInTheDocument();
  expect(asked.length - before).toBeLessThan(before);
});

test('a proof of another board is false, and its coins are asked of nobody by themselves', async () => {
  vi.mocked(checkPublishedProof).mockResolvedValue({ ...CHECKED, check: { ...CHECKED.check, complete: false, statement: 'other-board' } });
  serve([PROOF]);
  show(`/verify/${PROOF.id}`);
  const box = (await screen.findByText('This proof is false')).closest('div')!;
  expect(box).toHaveTextContent('It was made for https://board.example');
  // No name and amount in large letters, and the check that failed is open.
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Check a proof');
  expect(screen.getByText('What was checked').closest('details')).toHaveAttribute('open');
});

test('an id that nobody has published is named', async () => {
  serve([]);
  show('/verify/0190d0c2-0000-7000-8000-00000000000b');
  expect(await screen.findByText('No such proof')).toBeInTheDocument();
});

const NOBODY = 'Somebody signed this line. Nobody says that this person did.';

const drop = (file: unknown) => userEvent.upload(screen.getByLabelText('Choose or drop a proof or a receipt'), new File([JSON.stringify(file)], 'proof.json'));

/** The text that was checked last. */
const checkedText = () => new TextDecoder().decode(vi.mocked(checkPublishedProof).mock.lastCall?.[0]);

/** A file by a stranger who signed coins of their own. */
const FORGED = { ...PROOF, transaction: `${PROOF.transaction}00`, created_at: '2009-01-03T18:15:05Z', published_at: '2009-01-03T18:15:05Z' };

/** Nothing on the page says who the person is, when it was, or what counts. */
function sayNobody() {
  const main = document.body;
  expect(within(main).queryByRole('link')).toBeNull();
  expect(main).not.toHaveTextContent(/Shown as|Counts on the board|The board counts|2009|Nov 2[01], 2026|2027/);
  expect(within(main).getAllByText(/satoshi/)).toHaveLength(1);
  expect(within(main).getByText(/satoshi/).tagName).toBe('BLOCKQUOTE');
}

test('a file that the board publishes is shown as the board has it', async () => {
  serve([PROOF]);
  show('/verify');
  await drop({ ...PROOF, expires_at: '2099-01-01T00:00:00Z', inputs: PROOF.inputs.map(({ counts, ...input }) => ({ ...input, counts: counts && false })) });
  expect(await screen.findByText('5 of 6 checks passed in your browser')).toBeInTheDocument();
  expect(screen.getAllByText('@satoshi').length).toBeGreaterThan(0);
  expect(screen.getAllByText('Counts on the board')).toHaveLength(7);
  expect(document.body).not.toHaveTextContent('2099');
  expect(checkedText()).toBe(JSON.stringify(PROOF));
  expect(checkPublishedProof).toHaveBeenCalledWith(expect.anything(), ORIGIN, 'mainnet', []);
});

test.each([
  ['differs from what the board publishes', FORGED, 'something else under the id'],
  ['has another name', { ...PROOF, profile: { ...PROOF.profile, username: 'famous_satoshi' } }, 'something else under the id'],
  ['has an id that nobody has published', { ...PROOF, id: '0190d0c2-0000-7000-8000-00000000000b' }, 'does not publish'],
])('a file that %s says nothing about its person', async (_, file, why) => {
  const asked: string[] = [];
  serve([PROOF]);
  const answered = globalThis.fetch;
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address);
    return answered(address);
  });
  show('/verify');
  await drop(file);
  const box = (await screen.findByText(NOBODY)).closest('div')!;
  expect(box).toHaveTextContent(why);
  sayNobody();
  for (const address of asked) expect(address).toMatch(/^\/api\/functions\/v1\/(proofs\/[0-9a-f-]{36}|app-config)$/);
  await userEvent.click(screen.getByRole('button', { name: 'Check the coins' }));
  expect(await screen.findAllByText('Unspent')).toHaveLength(7);
  expect(screen.getByText(NOBODY)).toBeInTheDocument();
  sayNobody();
});

test.each([
  ['does not answer', () => Promise.reject(new TypeError('down'))],
  ['fails', () => Promise.resolve(new Response('', { status: 500 }))],
  ['answers something else', () => Promise.resolve(Response.json({ ...PROOF, id: '0190d0c2-0000-7000-8000-00000000000b' }))],
])('while the board %s, a file says nothing about its person', async (_, fetch) => {
  vi.stubGlobal('fetch', fetch);
  show('/verify');
  await drop(PROOF);
  const box = (await screen.findByText(NOBODY)).closest('div')!;
  expect(box).toHaveTextContent('This board did not answer.');
  sayNobody();
});

test('a file of another board is checked as what it says it is, and this board is not asked', async () => {
  const fetch = vi.fn();
  vi.stubGlobal('fetch', fetch);
  show('/verify');
  const statement = { ...PROOF.statement, origin: 'https://xn--bard-5qa.example' };
  await drop({ ...PROOF, statement });
  const box = (await screen.findByText('Signed for xn--bard-5qa.example')).closest('div')!;
  expect(box).toHaveTextContent('The line is for https://xn--bard-5qa.example. This board cannot say who signed it.');
  sayNobody();
  expect(fetch).not.toHaveBeenCalled();
  expect(checkedText()).toBe(JSON.stringify({ ...PROOF, statement }));
  expect(checkPublishedProof).toHaveBeenCalledWith(expect.anything(), statement.origin, 'mainnet', []);
});

test('a file with a signature that is left open is not said to be signed', async () => {
  const inputs = CHECKED.check.inputs.map((input) => ({ ...input, status: 'inconclusive' as const }));
  vi.mocked(checkPublishedProof).mockResolvedValue({ ...CHECKED, check: { ...CHECKED.check, complete: false, inputs } });
  serve([]);
  show('/verify');
  await drop(PROOF);
  expect(await screen.findByText('1 of 4 checks passed in your browser')).toBeInTheDocument();
  sayNobody();
});

test.each(['{', '{}', JSON.stringify({ ...PROOF, inputs: [{}] })])('the file %.20s is no proof', async (text) => {
  serve([]);
  show('/verify');
  await userEvent.upload(screen.getByLabelText('Choose or drop a proof or a receipt'), new File([text], 'proof.json'));
  expect(await screen.findByRole('alert')).toHaveTextContent('This is not a proof file');
});

test.each([
  [{ username: 'satoshi', provider: 'twitter', named: true }, '@satoshi'],
  [{ username: 'octo', provider: 'github', named: true }, 'github:octo'],
  [{ username: 'user_0190d', provider: 'twitter', named: false }, 'user_0190d'],
])('the proofs of a person are listed, under the name that the board shows: %j', async (shown, name) => {
  serve([{ ...PROOF, profile: { ...PROOF.profile, ...shown } }]);
  show(`/verify?profile=${PROOF.profile.id}`);
  expect(await screen.findByRole('heading', { name: `Published proofs of ${name}` })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: '0.00700000 BTC' })).toHaveAttribute('href', `/verify/${PROOF.id}`);
});

test('names, ids and addresses of others put none of our words out of their place', async () => {
  // The name has a character that ends its isolation, and one that reverses the text after it.
  const [name, subject, provider] = ['\u05d0\u05d1\u2069\u202e', '\u05d2', '\u05d3'];
  const statement = { ...PROOF.statement, text: PROOF.statement.text.replace('@satoshi', name), subject, provider };
  serve([{ ...PROOF, profile: { ...PROOF.profile, provider, username: name, named: false }, statement }]);
  vi.mocked(checkPublishedProof).mockResolvedValue({ ...CHECKED, check: { ...CHECKED.check, isNamed: false } });
  show(`/verify/${PROOF.id}`);
  const verdict = await screen.findByText(/^The proof of .* is not complete/);
  const others = within(verdict.closest('main') ?? document.body).getAllByText((text) => text !== '' && /[\u0590-\u05ff]/.test(text));
  expect(others.length).toBeGreaterThan(5);
  // The statement is a line of its own.
  for (const part of others.filter(({ textContent }) => textContent !== statement.text)) expect(part.tagName).toBe('BDI');
  expect(within(verdict).getAllByText((text) => text.includes(name))).toHaveLength(3);
});

/** The board of the receipts among the fixtures. */
const RECEIPTS = 'http://127.0.0.1:8471';

test('a receipt is checked with a key that the reader has', async () => {
  vi.stubGlobal('location', new URL(RECEIPTS));
  serve([]);
  show('/verify');
  const [receipt, key] = ['row.tlog-proof', 'key.txt'].map((name) => readFileSync(`${process.cwd()}/src/lib/board-log/fixture/${name}`, 'utf8')) as [string, string];
  await userEvent.upload(screen.getByLabelText('Choose or drop a proof or a receipt'), new File([receipt], 'row.tlog-proof'));
  expect(await screen.findByText('This receipt couldn’t be checked yet')).toBeInTheDocument();
  // A text that is no key, and another key, give no verdict.
  await userEvent.type(screen.getByLabelText('A key of the log'), 'nonsense');
  await userEvent.click(screen.getByRole('button', { name: 'Check with This Key' }));
  expect(await screen.findByText('This is not a key of a log.')).toBeInTheDocument();
  expect(screen.getByText('This receipt couldn’t be checked yet')).toBeInTheDocument();
  await userEvent.clear(screen.getByLabelText('A key of the log'));
  await userEvent.click(screen.getByLabelText('A key of the log'));
  await userEvent.paste('127.0.0.1:8471/log+a4040ce1+AcxFch7o2vyTkYa6urkqm/OTSRKlH3uO3d4fntQ5Dcy4');
  await userEvent.click(screen.getByRole('button', { name: 'Check with This Key' }));
  expect(await screen.findByText(/If the log’s key has changed since, paste the old key below/)).toBeInTheDocument();
  expect(screen.getByText('This receipt couldn’t be checked yet')).toBeInTheDocument();
  await userEvent.clear(screen.getByLabelText('A key of the log'));
  await userEvent.click(screen.getByLabelText('A key of the log'));
  await userEvent.paste(key.trim());
  await userEvent.click(screen.getByRole('button', { name: 'Check with This Key' }));
  expect(await screen.findByText('This receipt is right')).toBeInTheDocument();
  expect(screen.getByText(/At block 1,000, .* with 1.25000000 BTC/)).toBeInTheDocument();
});

/** A receipt of a row that shows a range: the fixture's, with other words in the row. */
test.each([
  [{ shown_as: 'range', holdings_sats: 1_000_000_000 }, 'with at least 10 BTC.'],
  [{ shown_as: 'range', holdings_sats: 1 }, 'with under 0.1 BTC.'],
  [{ shown_as: 'exact', holdings_sats: 1_000_000_000 }, 'with 10.00000000 BTC.'],
  [{ shown_as: 'exact', holdings_sats: null }, 'without holdings.'],
] as const)('a receipt says what the board said: %j', async (row, words) => {
  serve([]);
  const shown = { id: 'me', provider: 'mock', username: 'me', named: true, ...row };
  vi.mocked(checkReceipt).mockResolvedValueOnce({ origin: `${location.host}/log`, height: 7, block: 'ff', at: '2026-11-22T18:00:00Z', row: shown });
  show('/verify');
  const receipt = readFileSync(`${process.cwd()}/src/lib/board-log/fixture/row.tlog-proof`, 'utf8');
  await userEvent.upload(screen.getByLabelText('Choose or drop a proof or a receipt'), new File([receipt], 'row.tlog-proof'));
  const notice = (await screen.findByText('This receipt is right')).parentElement;
  expect(notice).toHaveTextContent(words);
});

test('a right receipt of another board is none of this one', async () => {
  serve([]);
  const row = { id: 'me', provider: 'mock', username: 'me', named: true, holdings_sats: 5, shown_as: 'exact' } as const;
  vi.mocked(checkReceipt).mockResolvedValueOnce({ origin: 'evil.example/log', height: 7, block: 'ff', at: '2026-11-22T18:00:00Z', row });
  show('/verify');
  const receipt = readFileSync(`${process.cwd()}/src/lib/board-log/fixture/row.tlog-proof`, 'utf8');
  await userEvent.upload(screen.getByLabelText('Choose or drop a proof or a receipt'), new File([receipt], 'row.tlog-proof'));
  const notice = (await screen.findByText('This is a receipt of another board')).parentElement;
  expect(notice).toHaveTextContent(`It says nothing about ${location.host}.`);
  expect(screen.queryByText('This receipt is right')).toBeNull();
});

test('a page at rest has what checks proofs, says that one may go offline, and tries again when it is back', async () => {
  serve([]);
  vi.mocked(prepareChecks).mockResolvedValueOnce(false);
  show('/verify');
  const note = screen.getByText(/^Works offline/);
  await vi.waitFor(() => expect(prepareChecks).toHaveBeenCalledOnce());
  expect(note).toHaveClass('invisible');
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(note).not.toHaveClass('invisible'));
});

/** Messages of a library or a browser. */
const FOREIGN = 'RuntimeError at 0x1f';

/** The network cuts responses off. */
function breakOff() {
  vi.stubGlobal('fetch', async () => new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError(FOREIGN)) })));
}

test.each([new Error(FOREIGN), new ProofReadError(FOREIGN, 'unexpected')])('a failed check is explained in our words', async (error) => {
  serve([PROOF]);
  vi.mocked(checkPublishedProof).mockRejectedValue(error);
  show(`/verify/${PROOF.id}`);
  expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong while it was checked.');
  expect(document.body).not.toHaveTextContent(FOREIGN);
});

test('coins that could not be looked up are explained in our words', async () => {
  serve([PROOF]);
  show(`/verify/${PROOF.id}`);
  const button = await screen.findByRole('button', { name: 'Check the coins' });
  breakOff();
  await userEvent.click(button);
  expect(await screen.findByRole('alert')).toHaveTextContent('The block explorer didn’t answer. Try again later');
  expect(document.body).not.toHaveTextContent(FOREIGN);
});

test('a list that did not load is explained in our words', async () => {
  vi.stubGlobal('fetch', async () => Response.json(null));
  const { unmount } = show(`/verify?profile=${PROOF.profile.id}`);
  expect(await screen.findByRole('alert')).toHaveTextContent('The board’s response is not a list of proofs.');
  unmount();
  vi.stubGlobal('fetch', async () => Response.json({ proofs: [null], next: null }));
  show(`/verify?profile=${PROOF.profile.id}`);
  expect(await screen.findByRole('alert')).toHaveTextContent('The board’s response is not a list of proofs.');
});

test('a link to nobody’s list says so, and asks no board', async () => {
  const asked = vi.fn();
  vi.stubGlobal('fetch', asked);
  show('/verify?profile=nonsense');
  expect(await screen.findByRole('alert')).toHaveTextContent('This is not a link to a person’s proofs. Ask the holder for a new link.');
  expect(screen.queryByRole('button', { name: 'Try Again' })).not.toBeInTheDocument();
  expect(asked.mock.calls.filter(([url]) => String(url).includes('profile_id'))).toEqual([]);
});

test('a browser that cannot check a receipt does not call it false', async () => {
  vi.stubGlobal('location', new URL(RECEIPTS));
  vi.mocked(checkReceipt).mockRejectedValueOnce(new DOMException(FOREIGN, 'NetworkError'));
  const [receipt, key] = ['row.tlog-proof', 'key.txt'].map((name) => readFileSync(`${process.cwd()}/src/lib/board-log/fixture/${name}`, 'utf8')) as [string, string];
  localStorage.setItem('board-log', JSON.stringify({ checkpoint: `${key.split('+')[0]}\n`, keys: [key.trim()], until: [] }));
  show('/verify');
  await userEvent.upload(screen.getByLabelText('Choose or drop a proof or a receipt'), new File([receipt], 'row.tlog-proof'));
  expect(await screen.findByText('This receipt couldn’t be checked yet')).toBeInTheDocument();
  expect(screen.getByRole('alert')).toHaveTextContent('This browser couldn’t check the receipt, which may still be valid.');
  breakOff();
  await userEvent.click(screen.getByRole('button', { name: 'Fill In What This Board Shows Now' }));
  expect(await screen.findByText('The key couldn’t be fetched. Please try again.')).toBeInTheDocument();
  expect(document.body).not.toHaveTextContent(FOREIGN);
});

test('once a file was checked, another one is a press away', async () => {
  serve([]);
  show('/verify');
  expect(screen.queryByRole('button', { name: 'Check another file' })).toBeNull();
  await drop(FORGED);
  expect(await screen.findByText(NOBODY)).toBeInTheDocument();
  const opened = vi.spyOn(screen.getByLabelText<HTMLInputElement>('Choose or drop a proof or a receipt'), 'click');
  await userEvent.click(await screen.findByRole('button', { name: 'Check another file' }));
  expect(opened).toHaveBeenCalledOnce();
});
